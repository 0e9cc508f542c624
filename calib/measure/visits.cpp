#include "calib/measure/visits.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/statistics.hpp"

namespace dbsim::calib {

namespace {

/// Marks what `is_disturbed` says, unless that is more than `most` of all visits.
template <class IsDisturbed>
void mark(std::vector<Disturbance>& marks, Disturbance kind, double most,
          const IsDisturbed& is_disturbed) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i] == Disturbance::none && is_disturbed(i)) found.push_back(i);
  }
  if (static_cast<double>(found.size()) > most * static_cast<double>(marks.size())) return;
  for (const std::size_t i : found) marks[i] = kind;
}

void mark_slow_clocks(std::vector<Disturbance>& marks, const std::vector<Visit>& visits) {
  std::vector<double> clocks;
  for (const Visit& visit : visits) {
    if (visit.clock_hz > 0.0) clocks.push_back(visit.clock_hz);
  }
  if (clocks.empty()) return;
  constexpr double fallen = 0.93;  // boost clocks wander by a few per cent
  const double usual = median(std::move(clocks));
  mark(marks, Disturbance::slow_clock, 0.5, [&](std::size_t i) {
    return visits[i].clock_hz > 0.0 && visits[i].clock_hz < fallen * usual;
  });
}

void mark_outliers(std::vector<Disturbance>& marks, const std::vector<Visit>& visits) {
  constexpr std::size_t least_visits = 4;  // of fewer nobody can say which is odd
  if (visits.size() < least_visits) return;
  const std::vector<double> medians = visit_medians(visits, Part::step);
  const double middle = median(medians);
  std::vector<double> distances;
  for (const double value : medians) distances.push_back(std::abs(value - middle));
  constexpr double normal_consistent = 1.4826;  // of the median absolute deviation
  constexpr double many_sigmas = 6.0;
  constexpr double noticeable = 0.02;
  const double limit =
      std::max(many_sigmas * normal_consistent * median(distances), noticeable * middle);
  mark(marks, Disturbance::outlier, 0.25, [&](std::size_t i) { return distances[i] > limit; });
}

}  // namespace

std::vector<Disturbance> disturbances(const BatchSamples& samples) {
  const std::vector<Visit>& visits = samples.visits;
  std::vector<Disturbance> marks(visits.size(), Disturbance::none);
  mark(marks, Disturbance::throttled, 0.5, [&](std::size_t i) { return visits[i].throttled; });
  mark_slow_clocks(marks, visits);
  mark_outliers(marks, visits);
  return marks;
}

std::vector<Visit> kept_visits(const BatchSamples& samples) {
  const std::vector<Disturbance> marks = disturbances(samples);
  std::vector<Visit> kept;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i] == Disturbance::none) kept.push_back(samples.visits[i]);
  }
  return kept;
}

std::size_t kept_count(const BatchSamples& samples) {
  const std::vector<Disturbance> marks = disturbances(samples);
  return static_cast<std::size_t>(std::count(marks.begin(), marks.end(), Disturbance::none));
}

std::vector<double> kept_medians(const BatchSamples& samples) {
  const std::vector<Disturbance> marks = disturbances(samples);
  std::vector<double> medians;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i] == Disturbance::none) {
      medians.push_back(visit_median(samples.visits[i], Part::step));
    }
  }
  return medians;
}

double seconds(const StepSample& sample, Part part) {
  switch (part) {
    case Part::step:
      return sample.step;
    case Part::forward:
      return sample.forward;
    case Part::backward:
      return sample.backward;
    case Part::update:
      break;
  }
  return sample.update;
}

double visit_median(const Visit& visit, Part part) {
  std::vector<double> times;
  times.reserve(visit.steps.size());
  for (const StepSample& step : visit.steps) times.push_back(seconds(step, part));
  return median(std::move(times));
}

std::vector<double> visit_medians(const std::vector<Visit>& visits, Part part) {
  std::vector<double> medians;
  for (const Visit& visit : visits) medians.push_back(visit_median(visit, part));
  return medians;
}

std::vector<double> all_steps(const std::vector<Visit>& visits, Part part) {
  std::vector<double> times;
  for (const Visit& visit : visits) {
    for (const StepSample& step : visit.steps) times.push_back(seconds(step, part));
  }
  return times;
}

}  // namespace dbsim::calib
