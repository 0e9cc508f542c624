#pragma once
// Cases solved, and how far the finish times are from those that are expected.
#include <cstddef>
#include <optional>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/flows/flow_cases.hpp"

namespace dbsim {

struct FlowResult {
  std::optional<Seconds> finish;     // empty: never
  std::optional<double> difference;  // from the answer, relative to it; empty without one
};

struct FlowCaseResult {
  std::vector<FlowResult> flows;     // in the order of the case
  std::optional<Seconds> makespan;   // empty when some flow never finishes
  std::optional<double> difference;  // the largest, the makespan's included
  std::optional<std::size_t> worst;  // the flow with the largest difference
  std::size_t unfinished{};

  [[nodiscard]] bool within(double bar) const { return !difference || *difference <= bar; }
};

/// 0 when both are the same, infinite when there is no time or only the answer is zero.
[[nodiscard]] double relative_difference(std::optional<Seconds> time, Seconds answer);

[[nodiscard]] FlowCaseResult solve(const FlowCase& one);

/// Over all cases of all files.
struct FlowVerdict {
  std::optional<double> difference;
  std::size_t cases{};
  std::size_t with_answers{};
  std::size_t within{};      // of those with answers
  std::size_t unfinished{};  // flows

  void add(const FlowCaseResult& result, double bar);
  [[nodiscard]] bool good() const { return within == with_answers && unfinished == 0; }
};

}  // namespace dbsim
