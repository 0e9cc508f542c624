#pragma once
// Which visits count: those during which the device was itself.
#include <cstddef>
#include <vector>

#include "calib/measure/samples.hpp"

namespace dbsim::calib {

enum class Disturbance { none, throttled, slow_clock, outlier };

/// One per visit. A disturbance that most visits share is how the device is, and marks none:
/// throttled and slow clocks count up to half of the visits, outliers up to a quarter.
[[nodiscard]] std::vector<Disturbance> disturbances(const BatchSamples& samples);

/// The visits that no disturbance marks.
[[nodiscard]] std::vector<Visit> kept_visits(const BatchSamples& samples);

[[nodiscard]] std::size_t kept_count(const BatchSamples& samples);

enum class Part { step, forward, backward, update };
[[nodiscard]] double seconds(const StepSample& sample, Part part);
[[nodiscard]] double visit_median(const Visit& visit, Part part);
/// The median of each visit.
[[nodiscard]] std::vector<double> visit_medians(const std::vector<Visit>& visits, Part part);
/// The same of the step times of the visits that no disturbance marks.
[[nodiscard]] std::vector<double> kept_medians(const BatchSamples& samples);
/// The times of all steps of all visits.
[[nodiscard]] std::vector<double> all_steps(const std::vector<Visit>& visits, Part part);

}  // namespace dbsim::calib
