#pragma once
// Times of an all-reduce by message size: how often, in which order, until when.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "calib/network/all_reduce.hpp"

namespace dbsim::calib {

struct NetworkMeasureOptions {
  std::vector<std::int64_t> sizes;  // bytes, rising, whole floats
  double precision{0.03};           // half the width of each median's interval, relative
  double budget_s{60.0};
  std::uint64_t seed{1};        // of the order of visits
  std::size_t least_visits{5};  // to each size, unless the budget is spent
  double visit_s{0.02};         // timed repetitions of one visit; one at least, 50 at most
};

/// What measuring meets outside the group; only the leader's count. Each may be empty but `now`.
struct NetworkSurroundings {
  std::function<double()> now;                                      // seconds, never going back
  std::function<bool()> stop;                                       // asked between visits
  std::function<void(const std::string&, double fraction)> report;  // before each visit
};

struct SizeSamples {
  std::int64_t bytes{};
  std::vector<double> seconds;  // of each repetition, its slowest rank's
};

/// low, low * factor, ... and high, each rounded to whole floats. Needs 4 <= low <= high and
/// factor > 1.
[[nodiscard]] std::vector<std::int64_t> message_sizes(std::int64_t low, std::int64_t high,
                                                      double factor);

/// First every size once, rising: sums are checked, costs are noted, and sizes that the budget
/// cannot pay are left out. Then in rounds of shuffled order, so that drift meets all sizes; each
/// round visits those whose interval is not yet within the precision. All ranks run the same
/// repetitions. Throws std::runtime_error when a sum is wrong.
[[nodiscard]] std::vector<SizeSamples> measure_all_reduce(AllReduce& group,
                                                          const NetworkMeasureOptions& options,
                                                          const NetworkSurroundings& surroundings);

}  // namespace dbsim::calib
