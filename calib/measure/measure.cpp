#include "calib/measure/measure.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "calib/measure/grid.hpp"
#include "calib/measure/interval.hpp"
#include "calib/measure/memory_limit.hpp"
#include "calib/measure/visit.hpp"
#include "calib/measure/visits.hpp"
#include "sim/base/random.hpp"

namespace dbsim::calib {

namespace {

/// Relative half-width of each batch's interval; empty where there are too few visits.
std::vector<std::optional<double>> half_widths(const Measurement& measurement,
                                               const MeasureOptions& options) {
  const RunNoise noise = run_noise(measurement.batches);
  std::vector<std::optional<double>> widths;
  for (const BatchSamples& batch : measurement.batches) {
    const std::vector<double> medians = kept_medians(batch);
    widths.push_back(medians.size() < options.least_visits ? std::nullopt
                                                           : relative_half_width(medians, noise));
  }
  return widths;
}

/// Enough for an interval, or beyond hope: the device will not hold still.
bool has_least_visits(const BatchSamples& batch, const MeasureOptions& options) {
  constexpr std::size_t patience = 3;
  return batch.visits.size() >= patience * options.least_visits ||
         kept_count(batch) >= options.least_visits;
}

bool spans_enough(const BatchSamples& batch, const MeasureOptions& options) {
  if (batch.visits.empty()) return false;
  const double span = batch.visits.back().started_s - batch.visits.front().started_s;
  return span >= std::min(options.least_span_s, options.budget_s / 2.0);
}

class Session {
 public:
  Session(StepRunner& runner, const MeasureOptions& options, Measurement so_far,
          const Surroundings& surroundings)
      : runner_{runner},
        options_{options},
        surroundings_{surroundings},
        measurement_{std::move(so_far)},
        began_{surroundings.now() - measurement_.elapsed_s} {}

  Measurement run() {
    if (!measurement_.explored) explore();
    while (can_go_on() && !is_complete(measurement_, options_)) {
      round();
      add_where_it_bends();
      measurement_.elapsed_s = spent();
      if (surroundings_.keep) surroundings_.keep(measurement_);
    }
    measurement_.elapsed_s = spent();
    return std::move(measurement_);
  }

 private:
  [[nodiscard]] double spent() const { return surroundings_.now() - began_; }
  [[nodiscard]] bool stopped() const { return surroundings_.stop(); }
  [[nodiscard]] bool can_go_on() const {
    return measurement_.explored && measurement_.batches.size() >= 2 && !stopped();
  }

  void explore();
  [[nodiscard]] std::vector<std::int64_t> batches_that_fit() const;
  [[nodiscard]] std::optional<double> cost_of_visit(std::int64_t batch);
  void round();
  [[nodiscard]] std::vector<std::int64_t> due(std::size_t round) const;
  bool visit_batch(std::int64_t batch);
  void lose(std::int64_t batch);
  void add_where_it_bends();
  void add_batch(std::int64_t batch);
  [[nodiscard]] BatchSamples& samples_of(std::int64_t batch);
  [[nodiscard]] double time_needed() const;
  void report(std::string what) const;

  StepRunner& runner_;
  const MeasureOptions& options_;
  const Surroundings& surroundings_;
  Measurement measurement_;
  double began_;
  std::map<std::int64_t, double> visit_cost_s_;
  std::set<std::int64_t> warm_;  // batches that this session ran before
};

/// Where memory ends, and what a visit of each batch costs.
void Session::explore() {
  report("looking where memory ends");
  const double begin = spent();
  constexpr double share = 0.05;  // of the budget, for knowing the limit to the sample
  measurement_.memory = find_memory_limit(
      runner_, {.highest = options_.batches.back(),
                .may_go_on = [&] { return spent() - begin < share * options_.budget_s; },
                .stop = surroundings_.stop});
  if (stopped()) return;
  double needed = 0.0;
  for (const std::int64_t batch : batches_that_fit()) {
    report("first steps of batch " + std::to_string(batch));
    if (stopped()) return;
    const std::optional<double> cost = cost_of_visit(batch);
    if (!cost) return;
    needed += *cost * static_cast<double>(options_.least_visits);
    if (!options_.only_these && needed > options_.budget_s && measurement_.batches.size() >= 2) {
      measurement_.left_out = batch;
      break;
    }
    add_batch(batch);
  }
  measurement_.explored = true;
}

std::vector<std::int64_t> Session::batches_that_fit() const {
  const MemoryLimit& memory = measurement_.memory;
  std::vector<std::int64_t> batches;
  for (const std::int64_t batch : options_.batches) {
    if (batch <= memory.fits) batches.push_back(batch);
  }
  const bool ends_here = memory.fails && memory.fits > 0;
  if (ends_here && !options_.only_these && (batches.empty() || batches.back() < memory.fits)) {
    batches.push_back(memory.fits);
  }
  return batches;
}

/// Empty when it was stopped.
std::optional<double> Session::cost_of_visit(std::int64_t batch) {
  const double begin = spent();
  if (!runner_.prepare(batch)) return 0.0;  // the first visit will find out
  const double prepared = spent();
  (void)runner_.step();
  if (stopped()) return std::nullopt;
  const double step_s = runner_.step().step;
  const auto steps = static_cast<double>(timed_steps(options_.visit_s, step_s) + 2);
  const double cost = prepared - begin + steps * step_s;
  visit_cost_s_[batch] = cost;
  warm_.insert(batch);
  return cost;
}

void Session::add_batch(std::int64_t batch) {
  const auto place = std::lower_bound(
      measurement_.batches.begin(), measurement_.batches.end(), batch,
      [](const BatchSamples& samples, std::int64_t value) { return samples.batch < value; });
  if (place != measurement_.batches.end() && place->batch == batch) return;
  measurement_.batches.insert(place, {.batch = batch, .memory_bytes = 0, .visits = {}});
}

BatchSamples& Session::samples_of(std::int64_t batch) {
  return *std::find_if(measurement_.batches.begin(), measurement_.batches.end(),
                       [&](const BatchSamples& samples) { return samples.batch == batch; });
}

/// Batches that lack visits, if there are some; else those that are not clearly precise enough.
/// Shuffled.
std::vector<std::int64_t> Session::due(std::size_t round) const {
  constexpr double clearly = 0.7;  // twice the visits that the precision needs
  std::vector<std::int64_t> lacking;
  std::vector<std::int64_t> wide;
  const auto widths = half_widths(measurement_, options_);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const BatchSamples& batch = measurement_.batches[i];
    if (!has_least_visits(batch, options_)) lacking.push_back(batch.batch);
    const bool precise = widths[i] && *widths[i] <= clearly * options_.precision;
    if (!precise || !spans_enough(batch, options_)) wide.push_back(batch.batch);
  }
  std::vector<std::int64_t> order = lacking.empty() ? std::move(wide) : std::move(lacking);
  RandomStream stream = RandomStreams{options_.seed}.stream("visits", std::to_string(round));
  for (std::size_t left = order.size(); left > 1; --left) {
    const auto chosen =
        static_cast<std::size_t>(stream.whole(0, static_cast<std::int64_t>(left) - 1));
    std::swap(order[chosen], order[left - 1]);
  }
  return order;
}

void Session::round() {
  std::size_t number = 0;
  for (const BatchSamples& batch : measurement_.batches) {
    number = std::max(number, batch.visits.size() + 1);
  }
  for (const std::int64_t batch : due(number)) {
    report("round " + std::to_string(number) + ", batch " + std::to_string(batch));
    if (stopped() || !visit_batch(batch)) return;
    const bool spent_all = spent() >= options_.budget_s;
    if (spent_all && is_complete(measurement_, options_)) return;
  }
}

/// False when it was stopped, or the batch was lost.
bool Session::visit_batch(std::int64_t batch) {
  const double begin = spent();
  if (!runner_.prepare(batch)) {
    lose(batch);
    return false;
  }
  constexpr std::size_t cold = 3;
  constexpr std::size_t warm = 2;
  std::optional<Visit> done = visit(runner_, {.warm_ups = warm_.contains(batch) ? warm : cold,
                                              .timed_s = options_.visit_s,
                                              .stop = surroundings_.stop});
  if (!done) return false;
  warm_.insert(batch);
  done->started_s = begin;
  BatchSamples& samples = samples_of(batch);
  samples.memory_bytes = runner_.memory_bytes();
  samples.visits.push_back(std::move(*done));
  visit_cost_s_[batch] = spent() - begin;
  measurement_.elapsed_s = spent();
  return true;
}

/// Something else took the memory: this batch and all larger ones do not fit any more.
void Session::lose(std::int64_t batch) {
  measurement_.fewer_later = true;
  std::vector<BatchSamples>& batches = measurement_.batches;
  batches.erase(std::find_if(batches.begin(), batches.end(),
                             [&](const BatchSamples& s) { return s.batch >= batch; }),
                batches.end());
  measurement_.memory = {.fits = batches.empty() ? 0 : batches.back().batch, .fails = batch};
}

void Session::add_where_it_bends() {
  if (options_.only_these || stopped()) return;
  const auto widths = half_widths(measurement_, options_);
  const RunNoise noise = run_noise(measurement_.batches);
  std::vector<CurvePoint> points;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const auto estimate = estimate_median(kept_visits(measurement_.batches[i]), Part::step, noise);
    if (!widths[i] || !estimate) return;  // later, when all are known
    points.push_back({.batch = measurement_.batches[i].batch,
                      .time = estimate->median,
                      .half_width = *widths[i] * estimate->median});
  }
  constexpr double tolerance = 0.03;
  for (const std::int64_t batch : where_it_bends(points, tolerance)) {
    if (measurement_.batches.size() >= options_.most_batches) return;
    const auto above = visit_cost_s_.lower_bound(batch);
    const double cost = above == visit_cost_s_.end() ? options_.visit_s : above->second;
    const double left = options_.budget_s - spent();
    if (static_cast<double>(options_.least_visits) * cost < left) add_batch(batch);
  }
}

/// Seconds until all intervals are narrow enough, or the budget is spent.
double Session::time_needed() const {
  const auto widths = half_widths(measurement_, options_);
  double needed = 0.0;
  double least = 0.0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const BatchSamples& batch = measurement_.batches[i];
    const auto known = visit_cost_s_.find(batch.batch);
    const double cost = known == visit_cost_s_.end() ? options_.visit_s : known->second;
    const auto count = static_cast<double>(batch.visits.size());
    const double lacking = std::max(0.0, static_cast<double>(options_.least_visits) - count) * cost;
    least += lacking;
    needed += lacking;
    if (widths[i] && *widths[i] > options_.precision) {
      const double ratio = *widths[i] / options_.precision;
      needed += cost * count * (ratio * ratio - 1.0);
    }
  }
  return std::max(least, std::min(needed, options_.budget_s - spent()));
}

void Session::report(std::string what) const {
  if (!surroundings_.report) return;
  const double left =
      measurement_.explored ? time_needed() : std::max(0.0, options_.budget_s - spent());
  const double whole = spent() + left;
  surroundings_.report({.what = std::move(what),
                        .fraction = whole > 0.0 ? spent() / whole : 0.0,
                        .seconds_left = left});
}

}  // namespace

bool is_complete(const Measurement& measurement, const MeasureOptions& options) {
  if (!measurement.explored) return false;
  const bool least =
      std::all_of(measurement.batches.begin(), measurement.batches.end(),
                  [&](const BatchSamples& batch) { return has_least_visits(batch, options); });
  if (!least || measurement.elapsed_s >= options.budget_s) return least;
  const bool spans =
      std::all_of(measurement.batches.begin(), measurement.batches.end(),
                  [&](const BatchSamples& batch) { return spans_enough(batch, options); });
  if (!spans) return false;
  const auto widths = half_widths(measurement, options);
  return std::all_of(widths.begin(), widths.end(), [&](const std::optional<double>& width) {
    return width && *width <= options.precision;
  });
}

Measurement measure(StepRunner& runner, const MeasureOptions& options, Measurement so_far,
                    const Surroundings& surroundings) {
  return Session{runner, options, std::move(so_far), surroundings}.run();
}

}  // namespace dbsim::calib
