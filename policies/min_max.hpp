#pragma once
// Whole numbers of samples whose slowest step is shortest.
#include <cstdint>
#include <vector>

#include "sim/base/apportion.hpp"
#include "sim/base/step_time_curve.hpp"

namespace dbsim {

/// How many units of `unit` samples each worker gets, with sum `total`, within limits (in units, at
/// least 1), so that the longest of the step times curve_i(unit * x_i) is as short as it can be. A
/// curve that falls somewhere counts as its running maximum from below.
///
/// Of several optimal assignments it takes the quickest units, a unit being ordered by the step
/// time that it leads to and, where those are equal, by worker.
[[nodiscard]] std::vector<std::int64_t> min_max_batches(
    const std::vector<const StepTimeCurve*>& curves, std::vector<Bounds> limits, std::int64_t total,
    std::int64_t unit = 1);

}  // namespace dbsim
