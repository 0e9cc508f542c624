#include "calib/fit/make_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "calib/measure/interference.hpp"
#include "calib/measure/remarks.hpp"
#include "sim/base/statistics.hpp"

namespace dbsim::calib {

namespace {

std::optional<ProfilePoint> point_of(const BatchSamples& samples, const RunNoise& noise) {
  const std::vector<Visit> kept = kept_visits(samples);
  const std::optional<TimeStatistics> step = statistics_of(kept, Part::step, noise);
  if (!step) return std::nullopt;
  return ProfilePoint{.batch = Samples{samples.batch},
                      .step = *step,
                      .forward = statistics_of(kept, Part::forward, noise),
                      .backward = statistics_of(kept, Part::backward, noise),
                      .update = statistics_of(kept, Part::update, noise),
                      .memory = Bytes{static_cast<double>(samples.memory_bytes)}};
}

/// Median over the visits of each batch, then over the batches: each batch counts once.
double ready_fraction(const Measurement& measurement, std::size_t bucket) {
  std::vector<double> batches;
  for (const BatchSamples& samples : measurement.batches) {
    std::vector<double> visits;
    for (const Visit& visit : kept_visits(samples)) {
      if (bucket < visit.ready.size()) visits.push_back(visit.ready[bucket]);
    }
    if (!visits.empty()) batches.push_back(median(std::move(visits)));
  }
  return batches.empty() ? 1.0 : median(std::move(batches));
}

std::vector<ProfileBucket> buckets_of(const Measurement& measurement,
                                      const std::vector<GradientBucket>& buckets) {
  std::vector<ProfileBucket> result;
  double latest = 0.0;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    latest = std::max(latest, ready_fraction(measurement, i));
    result.push_back({.bytes = Bytes{static_cast<double>(buckets[i].bytes)}, .ready = latest});
  }
  return result;
}

Bytes parameter_bytes(const ProfileFacts& facts) {
  constexpr std::int64_t bytes_of_a_float = 4;
  const std::int64_t in_buckets =
      std::accumulate(facts.buckets.begin(), facts.buckets.end(), std::int64_t{0},
                      [](std::int64_t sum, const GradientBucket& b) { return sum + b.bytes; });
  return Bytes{static_cast<double>(
      in_buckets > 0 ? in_buckets : bytes_of_a_float * facts.model.parameter_count())};
}

/// What a sensor read at the end of the visits that count: "1410 to 1980 MHz, median 1965 MHz".
/// Empty where it was never known.
std::string sensor_text(const Measurement& measurement, double Visit::*sensor, double unit,
                        std::string_view unit_name) {
  std::vector<double> values;
  for (const BatchSamples& samples : measurement.batches) {
    for (const Visit& visit : kept_visits(samples)) {
      if (visit.*sensor > 0.0) values.push_back(visit.*sensor / unit);
    }
  }
  if (values.empty()) return {};
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return fmt::format("{0:.0f} to {1:.0f} {3}, median {2:.0f} {3}", *least, *most, median(values),
                     unit_name);
}

std::vector<InterferenceRow> interference_of(const Measurement& measurement,
                                             std::vector<std::string>& remarks) {
  std::vector<InterferenceRow> rows;
  constexpr double wide = 0.05;
  for (const InterferenceSamples& samples : measurement.interference) {
    const Slowdown slowdown = slowdown_of(samples);
    rows.push_back({.load = samples.load,
                    .intensity = static_cast<double>(samples.intensity),
                    .slowdown = slowdown.median});
    if (slowdown.high - slowdown.low > 2.0 * wide * slowdown.median) {
      remarks.push_back(fmt::format("The slowdown beside {} x {} lies between {:.2f} and {:.2f}.",
                                    samples.intensity, samples.load, slowdown.low, slowdown.high));
    }
  }
  if (!measurement.interference.empty()) {
    remarks.push_back(fmt::format("Interference was measured at batch {}.",
                                  measurement.interference.front().batch));
  }
  return rows;
}

}  // namespace

std::optional<TimeStatistics> statistics_of(const std::vector<Visit>& visits, Part part,
                                            const RunNoise& noise) {
  const std::optional<MedianEstimate> estimate = estimate_median(visits, part, noise);
  if (!estimate) return std::nullopt;
  std::vector<double> times = all_steps(visits, part);
  TimeStatistics statistics;
  statistics.median = estimate->median;
  statistics.low = estimate->interval.low;
  statistics.high = estimate->interval.high;
  statistics.cv = sample_standard_deviation(times) / mean(times);
  statistics.repetitions = static_cast<std::int64_t>(times.size());
  statistics.p05 = quantile(times, 0.05);
  statistics.p95 = quantile(std::move(times), 0.95);
  return statistics;
}

ProfileDocument make_profile(const Measurement& measurement, const MeasureOptions& options,
                             const ProfileFacts& facts) {
  ProfileDocument document;
  document.device = {
      .name = facts.device.name,
      .memory = std::nullopt,
      .driver = facts.device.driver,
      .clocks = sensor_text(measurement, &Visit::clock_hz, 1e6, "MHz"),
      .temperature = sensor_text(measurement, &Visit::temperature_celsius, 1.0, "degrees Celsius")};
  if (facts.device.memory_bytes > 0) {
    document.device.memory = Bytes{static_cast<double>(facts.device.memory_bytes)};
  }
  const Shape& input = facts.model.input;
  document.model = {.name = facts.model.name,
                    .input_shape = {input.height, input.width, input.channels},
                    .parameter_bytes = parameter_bytes(facts),
                    .precision = facts.precision};
  document.backend = facts.device.backend;
  document.date = facts.date;
  document.remarks = remarks_on(measurement, options);
  const RunNoise noise = run_noise(measurement.batches);
  for (const BatchSamples& samples : measurement.batches) {
    if (auto point = point_of(samples, noise)) document.points.push_back(*point);
  }
  document.buckets = buckets_of(measurement, facts.buckets);
  if (measurement.memory.fails && measurement.memory.fits > 0) {
    document.max_batch = Samples{measurement.memory.fits};
  }
  document.interference = interference_of(measurement, document.remarks);
  return document;
}

}  // namespace dbsim::calib
