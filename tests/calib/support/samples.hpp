#pragma once
// Samples written by hand.
#include <cstdint>
#include <vector>

#include "calib/measure/samples.hpp"

namespace dbsim::calib::test {

/// A visit of three equal steps, 30 % forward, 60 % backward, 10 % update.
inline Visit visit_of(double step_s, double started_s = 0.0) {
  const StepSample step{step_s, 0.3 * step_s, 0.6 * step_s, 0.1 * step_s};
  return {.started_s = started_s,
          .steps = {step, step, step},
          .ready = {0.25, 1.0},
          .clock_hz = 1.5e9,
          .temperature_celsius = 60.0,
          .throttled = false};
}

/// One visit a second, in the order of the times.
inline BatchSamples samples_of(std::int64_t batch, const std::vector<double>& step_times) {
  BatchSamples samples{.batch = batch, .memory_bytes = 1000 * batch, .visits = {}};
  for (const double time : step_times) {
    samples.visits.push_back(visit_of(time, static_cast<double>(samples.visits.size())));
  }
  return samples;
}

}  // namespace dbsim::calib::test
