#pragma once
// Workers whose step time is a straight line above a floor: the batches with which all finish
// together, and the line that fits a profile best.
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/apportion.hpp"
#include "sim/base/step_time_curve.hpp"

namespace dbsim {

/// t(b) = max(floor, overhead + per_sample * b) in seconds: a device that is not busy yet takes as
/// long for a few samples more.
struct FinishLine {
  double overhead{};
  double per_sample{};
  double floor{0.0};
};

/// Real batches within the limits, with sum `total`, for which the last worker finishes earliest
/// and nobody who could take more finishes earlier than needed: b_i = (T - a_i) / s_i where the
/// limits allow, T = (B + sum a/s) / sum 1/s without limits. Needs a positive time per sample, and
/// limits that the total can keep.
[[nodiscard]] std::vector<double> equal_finish(std::span<const FinishLine> lines,
                                               std::int64_t total, std::span<const Bounds> limits);

/// The floor and the line that are nearest in least squares to the measured points; for a law
/// without points, the law.
[[nodiscard]] FinishLine fitted_line(const StepTimeCurve& curve);

}  // namespace dbsim
