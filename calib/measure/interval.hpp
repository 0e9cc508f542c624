#pragma once
// How far the median of a second run may lie from this one's.
#include <optional>
#include <span>
#include <vector>

#include "calib/measure/samples.hpp"
#include "calib/measure/visits.hpp"
#include "sim/base/statistics.hpp"

namespace dbsim::calib {

/// What makes visits resemble each other, estimated from all batches together: each has few visits,
/// and what drifts is the device.
struct RunNoise {
  /// Correlation of a batch's visit with the next visit of the same batch, corrected for the bias
  /// of short series: 0 for independent visits, towards 1 for slow drift.
  double correlation{};
  /// Relative standard deviation of the drift that all batches share, seen in sixths of the run; 0
  /// where the sixths differ no more than independent visits would make them.
  double drift{};
};
[[nodiscard]] double visit_correlation(std::span<const std::vector<double>> medians);
struct Deviation {
  double at_s{};
  double relative{};  // from its batch's mean
};
[[nodiscard]] double shared_drift(std::vector<Deviation> deviations);
/// Of the step times of all visits that count.
[[nodiscard]] RunNoise run_noise(const std::vector<BatchSamples>& batches);

/// Half the width of the interval that holds, with 95 % confidence, the median step time of another
/// run with as many visits, relative to this run's. Empty below two visits.
///
/// With s the relative standard deviation of n visit medians and r their correlation, n visits are
/// worth n (1 - r)/(1 + r) independent ones. A median of normal values varies pi/2 times as much
/// as their mean, and a difference of two runs twice as much as one of them. Drift and what a
/// restart changes (addresses, algorithms that were chosen anew) are added in quadrature.
[[nodiscard]] std::optional<double> relative_half_width(std::span<const double> medians,
                                                        const RunNoise& noise);

/// The median of all steps, and the interval around it.
struct MedianEstimate {
  double median{};
  Interval interval;
};
/// Of visits that count; empty below two of them.
[[nodiscard]] std::optional<MedianEstimate> estimate_median(const std::vector<Visit>& visits,
                                                            Part part, const RunNoise& noise);

}  // namespace dbsim::calib
