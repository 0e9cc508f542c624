#include "policies/min_max.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "policies/rounding.hpp"

namespace dbsim {

// Giving the samples one at a time, each to the worker that would finish earliest with it, is exact
// for finish times that never fall (Ibaraki and Katoh 1988), but takes B steps. All units up to a
// step time T are a prefix of that order, so we search for a T whose prefix is at most one unit per
// worker short of B, and give only the rest one at a time.

namespace {

struct Mark {
  std::int64_t batch{};
  double time{};
};

// A worker's step time by whole units, as its running maximum.
class Course {
 public:
  Course(const StepTimeCurve& curve, std::int64_t unit) : curve_{&curve}, unit_{unit} {
    if (curve.rises()) return;
    // Between measured batches the curve is monotone, so only they, and the first unit, can stand
    // out above later ones.
    records_.push_back({unit, curve.at(Samples{unit}).count()});
    for (const StepTimePoint& point : curve.points()) {
      if (point.batch.count() > unit && point.time.count() > records_.back().time) {
        records_.push_back({point.batch.count(), point.time.count()});
      }
    }
  }

  [[nodiscard]] double time(std::int64_t units) const {
    const std::int64_t batch = units * unit_;
    const double time = curve_->at(Samples{batch}).count();
    if (records_.empty()) return time;
    const auto after = std::ranges::upper_bound(records_, batch, {}, &Mark::batch);
    return std::max(time, std::prev(after)->time);
  }

  [[nodiscard]] Mark mark(std::int64_t batch) const { return {batch, time(batch)}; }

  /// The largest batch from `low` to `high` that takes at most `limit`, given that `low` does or is
  /// the least there is. Interpolates, and halves every third time in case the curve bends.
  [[nodiscard]] Mark last_within(double limit, Mark low, Mark high) const {
    if (high.time <= limit) return high;
    for (int step = 1; high.batch - low.batch > 1; ++step) {
      const std::int64_t width = high.batch - low.batch;
      std::int64_t ahead = width / 2;
      if (step % 3 != 0 && low.time < limit) {
        const double part = (limit - low.time) / (high.time - low.time);
        ahead = std::clamp(static_cast<std::int64_t>(part * static_cast<double>(width)),
                           std::int64_t{1}, width - 1);
      }
      const Mark middle = mark(low.batch + ahead);
      (middle.time <= limit ? low : high) = middle;
    }
    return low;
  }

 private:
  const StepTimeCurve* curve_;
  std::int64_t unit_;
  std::vector<Mark> records_;  // in samples; empty when the curve rises
};

// All units that lead to a step time up to `time`, as the last of them for each worker.
struct Prefix {
  double time{};
  std::vector<Mark> marks;
  std::int64_t units{};
};

Prefix prefix_of(double time, std::vector<Mark> marks) {
  const std::int64_t units =
      std::accumulate(marks.begin(), marks.end(), std::int64_t{0},
                      [](std::int64_t sum, const Mark& mark) { return sum + mark.batch; });
  return {time, std::move(marks), units};
}

class Search {
 public:
  Search(const std::vector<const StepTimeCurve*>& curves, std::vector<Bounds> limits,
         std::int64_t batch, std::int64_t unit)
      : limits_{std::move(limits)}, batch_{batch} {
    courses_.reserve(curves.size());
    for (const StepTimeCurve* curve : curves) courses_.emplace_back(*curve, unit);
  }

  [[nodiscard]] std::vector<std::int64_t> solve() const {
    Prefix low = prefix_with_one_each();
    Prefix high = prefix_that_suffices();
    narrow(low, high);
    const bool few_missing = batch_ - low.units <= std::ssize(courses_);
    return few_missing ? with_next_units(low) : with_equal_units(low, high);
  }

 private:
  [[nodiscard]] Prefix prefix_with_one_each() const {
    std::vector<Mark> marks;
    marks.reserve(courses_.size());
    for (const Course& course : courses_) marks.push_back(course.mark(1));
    return prefix_of(0.0, std::move(marks));
  }

  // Some assignment within the limits takes some time; everything up to that time suffices.
  [[nodiscard]] Prefix prefix_that_suffices() const {
    const std::int64_t workers = std::ssize(courses_);
    std::vector<double> speeds(courses_.size());
    for (std::size_t i = 0; i < courses_.size(); ++i) {
      const std::int64_t share =
          std::min(limits_[i].most, std::max(batch_ / workers, limits_[i].least));
      speeds[i] = static_cast<double>(share) / std::max(courses_[i].time(share), 1e-12);
    }
    const std::vector<std::int64_t> batches =
        apportion(in_proportion(speeds, batch_, limits_), batch_, limits_);
    std::vector<Mark> marks;
    marks.reserve(courses_.size());
    double slowest = 0.0;
    for (std::size_t i = 0; i < courses_.size(); ++i) {
      marks.push_back(courses_[i].mark(batches[i]));
      slowest = std::max(slowest, marks[i].time);
    }
    for (std::size_t i = 0; i < courses_.size(); ++i) {
      const Mark most = courses_[i].mark(std::min(limits_[i].most, batch_ - workers + 1));
      marks[i] = courses_[i].last_within(slowest, marks[i], most);
    }
    return prefix_of(slowest, std::move(marks));
  }

  [[nodiscard]] Prefix prefix_between(double time, const Prefix& low, const Prefix& high) const {
    std::vector<Mark> marks;
    marks.reserve(courses_.size());
    for (std::size_t i = 0; i < courses_.size(); ++i) {
      marks.push_back(courses_[i].last_within(time, low.marks[i], high.marks[i]));
    }
    return prefix_of(time, std::move(marks));
  }

  // Regula falsi in its Illinois form (Dowell and Jarratt 1971: an end that stays twice counts
  // half), aimed between the wanted limits. Every sixth step halves, so that it ends on any curve:
  // at a prefix that is short by at most one unit per worker, or at two neighbouring times.
  void narrow(Prefix& low, Prefix& high) const {
    const std::int64_t tolerance = std::ssize(courses_);
    const double aim = static_cast<double>(batch_) - 0.5 * static_cast<double>(tolerance);
    double below = static_cast<double>(low.units) - aim;
    double above = static_cast<double>(high.units) - aim;
    int moved_before = 0;  // -1 the low end, 1 the high end
    for (int step = 1; batch_ - low.units > tolerance; ++step) {
      const double width = high.time - low.time;
      double time = low.time + width * (step % 6 == 0 ? 0.5 : below / (below - above));
      if (!(time > low.time && time < high.time)) time = low.time + 0.5 * width;
      if (!(time > low.time && time < high.time)) return;
      Prefix middle = prefix_between(time, low, high);
      const int moved = middle.units <= batch_ ? -1 : 1;
      double& replaced = moved < 0 ? below : above;
      double& kept = moved < 0 ? above : below;
      replaced = static_cast<double>(middle.units) - aim;
      if (moved == moved_before) kept *= 0.5;
      moved_before = moved;
      (moved < 0 ? low : high) = std::move(middle);
    }
  }

  [[nodiscard]] std::vector<std::int64_t> with_next_units(const Prefix& low) const {
    using Next = std::pair<double, std::size_t>;  // step time with one unit more, worker
    std::vector<std::int64_t> batches = batches_of(low);
    std::vector<Next> first;
    first.reserve(courses_.size());
    for (std::size_t i = 0; i < courses_.size(); ++i) {
      if (batches[i] < limits_[i].most) first.emplace_back(courses_[i].time(batches[i] + 1), i);
    }
    std::priority_queue queue{std::greater<Next>{}, std::move(first)};
    for (std::int64_t missing = batch_ - low.units; missing > 0; --missing) {
      const std::size_t i = queue.top().second;
      queue.pop();
      ++batches[i];
      if (batches[i] < limits_[i].most) queue.emplace(courses_[i].time(batches[i] + 1), i);
    }
    return batches;
  }

  // Between neighbouring times all units are alike: a flat stretch of some curve.
  [[nodiscard]] std::vector<std::int64_t> with_equal_units(const Prefix& low,
                                                           const Prefix& high) const {
    std::vector<std::int64_t> batches = batches_of(low);
    std::int64_t missing = batch_ - low.units;
    for (std::size_t i = 0; i < courses_.size(); ++i) {
      const std::int64_t given = std::min(missing, high.marks[i].batch - low.marks[i].batch);
      batches[i] += given;
      missing -= given;
    }
    return batches;
  }

  [[nodiscard]] static std::vector<std::int64_t> batches_of(const Prefix& prefix) {
    std::vector<std::int64_t> batches(prefix.marks.size());
    std::ranges::transform(prefix.marks, batches.begin(), &Mark::batch);
    return batches;
  }

  std::vector<Course> courses_;
  std::vector<Bounds> limits_;
  std::int64_t batch_;
};

}  // namespace

std::vector<std::int64_t> min_max_batches(const std::vector<const StepTimeCurve*>& curves,
                                          std::vector<Bounds> limits, std::int64_t total,
                                          std::int64_t unit) {
  return Search{curves, std::move(limits), total, unit}.solve();
}

}  // namespace dbsim
