#include "calib/measure/interval.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "sim/base/random.hpp"

namespace dbsim::calib {

namespace {

// Relative standard deviation between medians of programs that were started anew on a device that
// did not change.
constexpr double restart_spread = 0.002;
constexpr double least_effective_visits = 1.0;
// How many times the spread of drift within a run another run may be away. Two runs next to each
// other on a random walk, the worst drift there is, differ by twice the spread within one
// (variances 2/3 and 1/6 of sigma^2 T), and that spread is known from little more than one swing;
// drift that forgets itself needs half of it. Chosen with tests/calib/measure/coverage_test.cpp.
constexpr double drift_reach = 6.5;

struct Correlated {
  double products{};  // of neighbours
  double squares{};
  double visits{};
};

/// Adds one batch's deviations from its mean, in units of their standard deviation.
void add(Correlated& sum, const std::vector<double>& medians) {
  if (medians.size() < 3) return;
  const double middle = mean(medians);
  const double scale = sample_standard_deviation(medians);
  if (scale <= 0.0) return;
  for (std::size_t i = 0; i < medians.size(); ++i) {
    const double deviation = (medians[i] - middle) / scale;
    sum.squares += deviation * deviation;
    if (i > 0) sum.products += deviation * (medians[i - 1] - middle) / scale;
  }
  sum.visits += static_cast<double>(medians.size());
}

}  // namespace

double visit_correlation(std::span<const std::vector<double>> medians) {
  Correlated sum;
  double batches = 0.0;
  for (const std::vector<double>& batch : medians) {
    const double before = sum.visits;
    add(sum, batch);
    if (sum.visits > before) batches += 1.0;
  }
  if (batches == 0.0) return 0.0;
  const double raw = sum.products / sum.squares;
  const double length = sum.visits / batches;
  // Marriott and Pope 1954: around an estimated mean it is too small by about (1 + 4 r)/n.
  constexpr double highest = 0.95;
  return std::clamp(raw + (1.0 + 4.0 * std::max(raw, 0.0)) / length, 0.0, highest);
}

std::optional<double> relative_half_width(std::span<const double> medians, const RunNoise& noise) {
  if (medians.size() < 2) return std::nullopt;
  if (mean(medians) <= 0.0) return std::nullopt;  // a part that the device does not have
  const auto count = static_cast<double>(medians.size());
  const double spread = sample_standard_deviation(medians) / mean(medians);
  const double effective = std::max(least_effective_visits,
                                    count * (1.0 - noise.correlation) / (1.0 + noise.correlation));
  const double within = student_t_quantile(0.975, count - 1.0) * spread *
                        std::sqrt(std::numbers::pi / 2.0 * 2.0 / effective);
  const double restart = normal_quantile(0.975) * std::numbers::sqrt2 * restart_spread;
  return std::hypot(within, restart, drift_reach * noise.drift);
}

std::optional<MedianEstimate> estimate_median(const std::vector<Visit>& visits, Part part,
                                              const RunNoise& noise) {
  const std::optional<double> width = relative_half_width(visit_medians(visits, part), noise);
  if (!width) return std::nullopt;
  const double middle = median(all_steps(visits, part));
  return MedianEstimate{
      .median = middle,
      .interval = {.low = middle * (1.0 - std::min(*width, 1.0)), .high = middle * (1.0 + *width)}};
}

double shared_drift(std::vector<Deviation> deviations) {
  constexpr std::size_t blocks = 6;
  if (deviations.size() < 2 * blocks) return 0.0;
  std::sort(deviations.begin(), deviations.end(),
            [](const Deviation& a, const Deviation& b) { return a.at_s < b.at_s; });
  std::vector<double> means;
  double squares = 0.0;
  for (std::size_t block = 0; block < blocks; ++block) {
    std::vector<double> values;
    const std::size_t end = (block + 1) * deviations.size() / blocks;
    for (std::size_t i = block * deviations.size() / blocks; i < end; ++i) {
      values.push_back(deviations[i].relative);
    }
    means.push_back(mean(values));
    const double spread = sample_standard_deviation(values);
    squares += spread * spread * static_cast<double>(values.size() - 1);
  }
  const auto count = static_cast<double>(deviations.size());
  const double independent = squares / (count - blocks) / (count / blocks);
  const double found = std::pow(sample_standard_deviation(means), 2);
  constexpr double significant = 1.9;  // 90th percentile of F with 5 and many degrees of freedom
  return found > significant * independent ? std::sqrt(found - independent) : 0.0;
}

RunNoise run_noise(const std::vector<BatchSamples>& batches) {
  std::vector<std::vector<double>> medians;
  std::vector<Deviation> deviations;
  for (const BatchSamples& batch : batches) {
    std::vector<double> kept = kept_medians(batch);
    if (kept.size() < 2) continue;
    const std::vector<Disturbance> marks = disturbances(batch);
    const double middle = mean(kept);
    std::size_t next = 0;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (marks[i] != Disturbance::none) continue;
      deviations.push_back({batch.visits[i].started_s, kept[next++] / middle - 1.0});
    }
    medians.push_back(std::move(kept));
  }
  return {.correlation = visit_correlation(medians), .drift = shared_drift(std::move(deviations))};
}

}  // namespace dbsim::calib
