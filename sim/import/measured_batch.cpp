#include "sim/import/measured_batch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

double quantile(const std::vector<double>& sorted, double p) {
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

void append(std::vector<double>& all, const std::vector<double>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::optional<TimeStatistics> perhaps(const std::vector<double>& seconds) {
  return seconds.empty() ? std::nullopt : std::optional{statistics_of(seconds)};
}

}  // namespace

TimeStatistics statistics_of(std::vector<double> seconds) {
  check(!seconds.empty(), "statistics are of at least one value");
  std::ranges::sort(seconds);
  TimeStatistics statistics{.median = quantile(seconds, 0.5),
                            .repetitions = static_cast<std::int64_t>(seconds.size())};
  if (seconds.size() < 2) return statistics;
  statistics.p05 = quantile(seconds, 0.05);
  statistics.p95 = quantile(seconds, 0.95);
  const auto count = static_cast<double>(seconds.size());
  const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / count;
  double squares = 0.0;
  for (const double value : seconds) squares += (value - mean) * (value - mean);
  statistics.cv = std::sqrt(squares / (count - 1.0)) / mean;
  return statistics;
}

std::vector<ProfilePoint> to_points(const std::vector<MeasuredBatch>& measured) {
  std::map<Samples, MeasuredBatch> by_batch;
  for (const MeasuredBatch& one : measured) {
    MeasuredBatch& all = by_batch[one.batch];
    append(all.step, one.step);
    append(all.forward, one.forward);
    append(all.backward, one.backward);
    append(all.update, one.update);
  }
  std::vector<ProfilePoint> points;
  for (const auto& [batch, all] : by_batch) {
    points.push_back({.batch = batch,
                      .step = statistics_of(all.step),
                      .forward = perhaps(all.forward),
                      .backward = perhaps(all.backward),
                      .update = perhaps(all.update)});
  }
  return points;
}

}  // namespace dbsim
