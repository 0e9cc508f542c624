#pragma once
// Times of single steps, and what a profile keeps of them.
#include <vector>

#include "sim/profile/profile_document.hpp"

namespace dbsim {

/// Seconds of each step measured at one batch size; parts that were not measured are empty.
struct MeasuredBatch {
  Samples batch;
  std::vector<double> step;
  std::vector<double> forward{};
  std::vector<double> backward{};
  std::vector<double> update{};
};

/// Median, repetitions and, of two values or more, 5th and 95th percentile (linear between values)
/// and coefficient of variation (n - 1 in the denominator). Needs at least one value.
[[nodiscard]] TimeStatistics statistics_of(std::vector<double> seconds);

/// One point for each batch size, rising; measurements of the same batch are put together.
[[nodiscard]] std::vector<ProfilePoint> to_points(const std::vector<MeasuredBatch>& measured);

}  // namespace dbsim
