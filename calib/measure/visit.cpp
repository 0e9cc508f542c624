#include "calib/measure/visit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/base/statistics.hpp"

namespace dbsim::calib {

namespace {

/// Median over the steps of bucket_ready / backward, bucket by bucket, never falling.
std::vector<double> ready_fractions(const std::vector<StepTimes>& steps) {
  std::vector<double> ready;
  double latest = 0.0;
  for (std::size_t bucket = 0; bucket < steps.front().bucket_ready.size(); ++bucket) {
    std::vector<double> fractions;
    for (const StepTimes& step : steps) {
      check(step.bucket_ready.size() > bucket, "every step reports every bucket");
      if (step.backward > 0.0) fractions.push_back(step.bucket_ready[bucket] / step.backward);
    }
    if (!fractions.empty()) latest = std::clamp(median(std::move(fractions)), latest, 1.0);
    ready.push_back(latest);
  }
  return ready;
}

}  // namespace

std::size_t timed_steps(double timed_s, double step_s) {
  constexpr double least = 2.0;
  constexpr double most = 50.0;
  if (step_s <= 0.0) return static_cast<std::size_t>(most);
  return static_cast<std::size_t>(std::clamp(std::ceil(timed_s / step_s), least, most));
}

std::optional<Visit> visit(StepRunner& runner, const VisitPlan& plan) {
  double step_s = 0.0;
  for (std::size_t i = 0; i < std::max<std::size_t>(plan.warm_ups, 1); ++i) {
    if (plan.stop()) return std::nullopt;
    step_s = runner.step().step;
  }
  std::vector<StepTimes> steps;
  const std::size_t count = timed_steps(plan.timed_s, step_s);
  while (steps.size() < count) {
    if (plan.stop()) return std::nullopt;
    steps.push_back(runner.step());
  }
  Visit result;
  for (const StepTimes& step : steps) {
    result.steps.push_back({step.step, step.forward, step.backward, step.update});
  }
  result.ready = ready_fractions(steps);
  const DeviceState state = runner.state();
  result.clock_hz = state.clock_hz;
  result.temperature_celsius = state.temperature_celsius;
  result.throttled = state.throttled;
  return result;
}

}  // namespace dbsim::calib
