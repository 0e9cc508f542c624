#pragma once
// Which policies there are, what each can be told, and how to make one: data that a reader can
// check against.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sim/policy/policy.hpp"

namespace dbsim {

using ParameterValue =
    std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>>;

/// One thing a policy can be told in `policies = [{ name = "dbs", mode = "code" }]`.
struct Parameter {
  enum class Kind { yes_or_no, whole, number, choice, batches };
  std::string name;
  Kind kind;
  std::string meaning;               // one sentence
  std::vector<std::string> choices;  // of a choice; the first is the default
  double least{};                    // of a whole or a number, inclusive
  double most{};
};

using Parameters = std::map<std::string, ParameterValue>;  // only those that were given

struct PolicyKind {
  std::string name;
  std::string summary;  // one sentence: the rule
  std::string source;   // where the rule was published
  std::vector<Parameter> parameters;
  std::function<std::unique_ptr<Policy>(const Parameters&)> make;
};

using Catalog = std::span<const PolicyKind>;

}  // namespace dbsim
