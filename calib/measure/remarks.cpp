#include "calib/measure/remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "calib/measure/interval.hpp"
#include "calib/measure/visits.hpp"
#include "sim/base/statistics.hpp"

namespace dbsim::calib {

namespace {

struct Place {
  double at{};
  double deviation{};
};

std::vector<Place> deviations(const Measurement& measurement) {
  std::vector<Place> places;
  for (const BatchSamples& batch : measurement.batches) {
    const std::vector<Visit> kept = kept_visits(batch);
    if (kept.size() < 2) continue;
    const std::vector<double> medians = visit_medians(kept, Part::step);
    const double middle = median(medians);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      places.push_back({kept[i].started_s, medians[i] / middle - 1.0});
    }
  }
  return places;
}

std::string drift_remark(const Measurement& measurement) {
  constexpr double noticeable = 0.01;
  constexpr double certain = 3.0;  // standard errors
  const std::optional<Drift> drift = drift_of(measurement);
  if (!drift || std::abs(drift->change) < std::max(noticeable, certain * drift->error)) return {};
  return fmt::format(
      "Steps became {:.1f} % {} while measuring, at all batch sizes alike; the intervals are wider "
      "for it.",
      100.0 * std::abs(drift->change), drift->change > 0.0 ? "slower" : "faster");
}

struct Counts {
  std::size_t visits{0};
  std::size_t throttled{0};
  std::size_t left_out_throttled{0};
  std::size_t left_out_other{0};
};

Counts count_visits(const Measurement& measurement) {
  Counts counts;
  for (const BatchSamples& batch : measurement.batches) {
    counts.visits += batch.visits.size();
    for (const Visit& visit : batch.visits) counts.throttled += visit.throttled ? 1 : 0;
    for (const Disturbance mark : disturbances(batch)) {
      const bool slowed = mark == Disturbance::throttled || mark == Disturbance::slow_clock;
      counts.left_out_throttled += slowed ? 1 : 0;
      counts.left_out_other += mark == Disturbance::outlier ? 1 : 0;
    }
  }
  return counts;
}

void add_disturbances(std::vector<std::string>& remarks, const Measurement& measurement) {
  const Counts counts = count_visits(measurement);
  if (counts.left_out_throttled > 0) {
    remarks.push_back(fmt::format(
        "The device lowered its clocks in {} of {} visits; these were repeated and do not count.",
        counts.left_out_throttled, counts.visits));
  }
  if (2 * counts.throttled > counts.visits) {
    remarks.push_back(
        fmt::format("The device lowered its clocks in {} of {} visits, so these are the times of a "
                    "throttled device.",
                    counts.throttled, counts.visits));
  }
  if (counts.left_out_other > 0) {
    remarks.push_back(
        fmt::format("{} of {} visits were far from the others of their batch, as when another "
                    "program ran; they were repeated and do not count.",
                    counts.left_out_other, counts.visits));
  }
}

std::string precision_remark(const Measurement& measurement, const MeasureOptions& options) {
  const RunNoise noise = run_noise(measurement.batches);
  std::size_t wide = 0;
  double widest = 0.0;
  for (const BatchSamples& batch : measurement.batches) {
    const auto width = relative_half_width(visit_medians(kept_visits(batch), Part::step), noise);
    if (!width || *width <= options.precision) continue;
    ++wide;
    widest = std::max(widest, *width);
  }
  if (wide == 0) return {};
  return fmt::format(
      "{} of {} batch sizes are known less well than the {:.3g} % asked for; the widest interval "
      "is ± {:.1f} %.",
      wide, measurement.batches.size(), 100.0 * options.precision, 100.0 * widest);
}

void add_memory(std::vector<std::string>& remarks, const Measurement& measurement,
                const MeasureOptions& options) {
  const MemoryLimit& memory = measurement.memory;
  if (measurement.fewer_later) {
    remarks.push_back(
        fmt::format("Batch {} fitted at first and did not later: another program may have taken "
                    "memory.",
                    memory.fails.value_or(0)));
  } else if (memory.fails && !memory.exact()) {
    remarks.push_back(
        fmt::format("Batch {} fits in memory and {} does not; those between were not tried.",
                    memory.fits, *memory.fails));
  }
  if (measurement.left_out) {
    remarks.push_back(
        fmt::format("Batches from {} on were left out, as they would have taken longer than the "
                    "budget of {:.3g} s.",
                    *measurement.left_out, options.budget_s));
  }
}

}  // namespace

std::optional<Drift> drift_of(const Measurement& measurement) {
  const std::vector<Place> places = deviations(measurement);
  constexpr std::size_t least = 6;
  if (places.size() < least) return std::nullopt;
  const auto count = static_cast<double>(places.size());
  double middle_at = 0.0;
  double middle = 0.0;
  for (const Place& place : places) {
    middle_at += place.at / count;
    middle += place.deviation / count;
  }
  double squares = 0.0;
  double products = 0.0;
  double first = places.front().at;
  double last = first;
  for (const Place& place : places) {
    squares += (place.at - middle_at) * (place.at - middle_at);
    products += (place.at - middle_at) * (place.deviation - middle);
    first = std::min(first, place.at);
    last = std::max(last, place.at);
  }
  if (squares <= 0.0) return std::nullopt;
  const double slope = products / squares;
  double rest = 0.0;
  for (const Place& place : places) {
    const double residual = place.deviation - middle - slope * (place.at - middle_at);
    rest += residual * residual;
  }
  return Drift{.change = slope * (last - first),
               .error = std::sqrt(rest / (count - 2.0) / squares) * (last - first)};
}

std::vector<std::string> remarks_on(const Measurement& measurement, const MeasureOptions& options) {
  std::vector<std::string> remarks;
  if (std::string drift = drift_remark(measurement); !drift.empty()) {
    remarks.push_back(std::move(drift));
  }
  add_disturbances(remarks, measurement);
  if (std::string precision = precision_remark(measurement, options); !precision.empty()) {
    remarks.push_back(std::move(precision));
  }
  add_memory(remarks, measurement, options);
  return remarks;
}

}  // namespace dbsim::calib
