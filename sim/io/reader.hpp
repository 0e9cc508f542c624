#pragma once
// Fields that read a tree: values go where the description says, everything wrong into one list.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/fields.hpp"
#include "sim/io/value.hpp"

namespace dbsim {

/// What all readers of one document share.
struct Reading {
  const std::string& file;
  std::span<const std::string> origins;  // origin k of a position is called origins[k - 1]
  std::vector<Problem>& problems;

  [[nodiscard]] Where where(const Position& at) const;
  /// Nobody reads more than a thousand problems: further ones are dropped.
  void add(Problem problem) const;
};

/// Reads the root table and files its unknown keys too.
void read_tree(const Value& root, const Description& description, const Reading& reading);

}  // namespace dbsim
