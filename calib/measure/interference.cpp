#include "calib/measure/interference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "calib/measure/visit.hpp"
#include "calib/measure/visits.hpp"
#include "sim/base/check.hpp"
#include "sim/base/statistics.hpp"

namespace dbsim::calib {

namespace {

/// A load that runs while this lives, whatever a step throws.
class Running {
 public:
  Running(BackgroundLoad& load, int intensity, std::int64_t batch) : load_{load} {
    load_.start(intensity, batch);
  }
  ~Running() { load_.stop(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  BackgroundLoad& load_;
};

std::optional<double> median_of_visit(StepRunner& runner, const InterferenceOptions& options,
                                      const Surroundings& surroundings) {
  const std::optional<Visit> done =
      visit(runner, {.warm_ups = 2, .timed_s = options.visit_s, .stop = surroundings.stop});
  if (!done) return std::nullopt;
  return visit_median(*done, Part::step);
}

std::optional<double> median_under(BackgroundLoad& load, int intensity, StepRunner& runner,
                                   const InterferenceOptions& options,
                                   const Surroundings& surroundings) {
  const Running running{load, intensity, options.batch};
  return median_of_visit(runner, options, surroundings);
}

std::optional<InterferenceSamples::Pair> measure_pair(StepRunner& runner, BackgroundLoad& load,
                                                      int intensity, bool loaded_first,
                                                      const InterferenceOptions& options,
                                                      const Surroundings& surroundings) {
  std::optional<double> alone;
  std::optional<double> loaded;
  if (loaded_first) loaded = median_under(load, intensity, runner, options, surroundings);
  alone = median_of_visit(runner, options, surroundings);
  if (!loaded_first) loaded = median_under(load, intensity, runner, options, surroundings);
  if (!alone || !loaded) return std::nullopt;
  return InterferenceSamples::Pair{.alone = *alone, .loaded = *loaded};
}

std::optional<InterferenceSamples> measure_row(StepRunner& runner, BackgroundLoad& load,
                                               int intensity, const InterferenceOptions& options,
                                               const Surroundings& surroundings) {
  InterferenceSamples row{
      .load = load.kind(), .intensity = intensity, .batch = options.batch, .pairs = {}};
  while (row.pairs.size() < options.pairs) {
    const bool loaded_first = row.pairs.size() % 2 == 1;
    const auto pair = measure_pair(runner, load, intensity, loaded_first, options, surroundings);
    if (!pair) return std::nullopt;
    row.pairs.push_back(*pair);
  }
  return row;
}

bool has_row(const std::vector<InterferenceSamples>& rows, const std::string& load, int intensity) {
  return std::any_of(rows.begin(), rows.end(), [&](const InterferenceSamples& row) {
    return row.load == load && row.intensity == intensity;
  });
}

}  // namespace

std::vector<InterferenceSamples> measure_interference(
    StepRunner& runner, std::span<const std::unique_ptr<BackgroundLoad>> loads,
    const InterferenceOptions& options, std::vector<InterferenceSamples> so_far,
    const Surroundings& surroundings) {
  if (surroundings.stop() || !runner.prepare(options.batch)) return so_far;
  const double began = surroundings.now();
  const std::size_t rows = loads.size() * static_cast<std::size_t>(options.most_intensity);
  std::size_t measured = 0;
  for (const std::unique_ptr<BackgroundLoad>& load : loads) {
    for (int intensity = 1; intensity <= options.most_intensity; ++intensity) {
      if (has_row(so_far, load->kind(), intensity)) continue;
      if (surroundings.report) {
        const double spent = surroundings.now() - began;
        const double left = measured == 0 ? 0.0
                                          : spent / static_cast<double>(measured) *
                                                static_cast<double>(rows - so_far.size());
        surroundings.report(
            {.what = fmt::format("beside {} x {}", intensity, load->kind()),
             .fraction = static_cast<double>(so_far.size()) / static_cast<double>(rows),
             .seconds_left = left});
      }
      auto row = measure_row(runner, *load, intensity, options, surroundings);
      if (!row) return so_far;
      so_far.push_back(std::move(*row));
      ++measured;
    }
  }
  return so_far;
}

Slowdown slowdown_of(const InterferenceSamples& samples) {
  check(!samples.pairs.empty(), "a row of interference has pairs");
  std::vector<double> ratios;
  for (const InterferenceSamples::Pair& pair : samples.pairs) {
    ratios.push_back(pair.loaded / pair.alone);
  }
  std::sort(ratios.begin(), ratios.end());
  // The k-th smallest and the k-th largest of n hold the true median unless fewer than k of n fair
  // coins fall on one side.
  const std::size_t count = ratios.size();
  double tail = std::pow(0.5, static_cast<double>(count));  // no coin on this side
  double term = tail;
  std::size_t k = 0;
  constexpr double most = 0.025;
  while (2 * (k + 1) < count) {
    term *= static_cast<double>(count - k) / static_cast<double>(k + 1);
    if (tail + term > most) break;
    tail += term;
    ++k;
  }
  return {.median = median(ratios), .low = ratios[k], .high = ratios[count - 1 - k]};
}

}  // namespace dbsim::calib
