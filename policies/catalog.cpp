#include "policies/catalog.hpp"

#include <array>
#include <string_view>
#include <variant>

#include "policies/dbs.hpp"
#include "policies/fixed.hpp"
#include "policies/oracle.hpp"
#include "policies/proportional.hpp"
#include "sim/base/check.hpp"

namespace dbsim {

namespace {

// What was given under a name, or what holds when nothing was. Scenarios are checked against the
// catalog before they get here, so a value of another type is a mistake of ours.
template <class T>
T given(const Parameters& parameters, const std::string& name, T otherwise) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) return otherwise;
  const T* value = std::get_if<T>(&found->second);
  check(value != nullptr, "a policy's parameter has the type that the catalog names");
  return *value;
}

bool chosen(const Parameters& parameters, const std::string& name, std::string_view choice,
            std::string_view otherwise) {
  const auto word = given<std::string>(parameters, name, std::string{otherwise});
  check(word == choice || word == otherwise, "a policy's parameter is one of its choices");
  return word == choice;
}

PolicyKind fixed_kind() {
  return {
      .name = "fixed",
      .summary = "Synchronous SGD: every worker has the same local batch, or the one set by hand.",
      .source = "the baseline S-SGD of Ye et al., arXiv 2007.11831",
      .parameters = {{.name = "batches",
                      .kind = Parameter::Kind::batches,
                      .meaning = "Local batches set by hand, one for each worker; their sum is "
                                 "then the global batch.",
                      .choices = {}}},
      .make = [](const Parameters& parameters) {
        return make_fixed(given<std::vector<std::int64_t>>(parameters, "batches", {}));
      }};
}

PolicyKind proportional_kind() {
  return {.name = "proportional",
          .summary =
              "Static: local batches in proportion to each worker's profiled speed at an "
              "equal share.",
          .source = "static batching, Tyagi and Sharma, ACSOS 2020, arXiv 2305.12213",
          .parameters = {},
          .make = [](const Parameters&) { return make_proportional(); }};
}

PolicyKind dbs_kind() {
  return {
      .name = "dbs",
      .summary =
          "Dynamic batch size: after each epoch, shares in proportion to the speed each "
          "worker has just shown.",
      .source =
          "Ye, Zhou, Shi, Sun and Lv, arXiv 2007.11831; "
          "https://github.com/Soptq/Dynamic_Load_Balance_DistributedDNN at d3b514d",
      .parameters = {{.name = "mode",
                      .kind = Parameter::Kind::choice,
                      .meaning = "The rule as the paper states it, or as the authors' program "
                                 "computes it, lost samples and unequal step counts included.",
                      .choices = {"paper", "code"}},
                     {.name = "weights",
                      .kind = Parameter::Kind::choice,
                      .meaning = "How gradients are combined: by share of the samples, or all "
                                 "alike as in the program's first version (c91601c).",
                      .choices = {"share", "uniform"}}},
      .make = [](const Parameters& parameters) {
        return make_dbs(
            {.mode = chosen(parameters, "mode", "code", "paper") ? DbsMode::code : DbsMode::paper,
             .weights = chosen(parameters, "weights", "uniform", "share") ? DbsWeights::uniform
                                                                          : DbsWeights::share});
      }};
}

PolicyKind oracle_kind() {
  return {.name = "oracle",
          .summary = "Static and exact: the local batches whose slowest profiled step is shortest.",
          .source =
              "min-max resource allocation, Ibaraki and Katoh, Resource Allocation Problems, "
              "MIT Press 1988",
          .parameters = {},
          .make = [](const Parameters&) { return make_oracle(); }};
}

}  // namespace

Catalog catalog() {
  static const std::array<PolicyKind, 4> kinds{fixed_kind(), proportional_kind(), dbs_kind(),
                                               oracle_kind()};
  return kinds;
}

}  // namespace dbsim
