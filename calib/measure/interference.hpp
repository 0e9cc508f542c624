#pragma once
// What another task on the same device costs: step times with and without a load, in turns.
#include <memory>
#include <span>
#include <vector>

#include "calib/backend/background_load.hpp"
#include "calib/backend/step_runner.hpp"
#include "calib/measure/measure.hpp"
#include "calib/measure/samples.hpp"

namespace dbsim::calib {

struct InterferenceOptions {
  std::int64_t batch{};
  int most_intensity{2};  // 1, 2, ... of each load
  std::size_t pairs{7};   // of visits, alone and loaded, taking turns who goes first
  double visit_s{0.3};
};

/// Goes on after the rows in `so_far`. Stopped or not, only complete rows are returned. The batch
/// must fit.
[[nodiscard]] std::vector<InterferenceSamples> measure_interference(
    StepRunner& runner, std::span<const std::unique_ptr<BackgroundLoad>> loads,
    const InterferenceOptions& options, std::vector<InterferenceSamples> so_far,
    const Surroundings& surroundings);

/// Step time under the load divided by step time alone: the median over pairs, in which drift
/// cancels, and an interval for the median of the ratio (95 %, from order statistics, or all there
/// is when the pairs are too few).
struct Slowdown {
  double median{};
  double low{};
  double high{};
};
[[nodiscard]] Slowdown slowdown_of(const InterferenceSamples& samples);

}  // namespace dbsim::calib
