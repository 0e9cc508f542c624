#include "sim/import/measured_batch.hpp"

#include <map>
#include <utility>

#include "sim/base/check.hpp"
#include "sim/base/statistics.hpp"

namespace dbsim {

namespace {

void append(std::vector<double>& all, const std::vector<double>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::optional<TimeStatistics> perhaps(const std::vector<double>& seconds) {
  return seconds.empty() ? std::nullopt : std::optional{statistics_of(seconds)};
}

}  // namespace

TimeStatistics statistics_of(std::vector<double> seconds) {
  check(!seconds.empty(), "statistics are of at least one value");
  TimeStatistics statistics{.median = median(seconds),
                            .repetitions = static_cast<std::int64_t>(seconds.size())};
  if (seconds.size() < 2) return statistics;
  statistics.p05 = quantile(seconds, 0.05);
  statistics.p95 = quantile(seconds, 0.95);
  statistics.cv = sample_standard_deviation(seconds) / mean(seconds);
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
