#include "policies/equal_finish.hpp"

#include <algorithm>
#include <numeric>

namespace dbsim {

namespace {

double time_of(const FinishLine& line, std::int64_t batch) {
  return std::max(line.floor, line.overhead + line.per_sample * static_cast<double>(batch));
}

// The largest batch within the limits that finishes by `time`; the least there is if none does.
double batch_by(const FinishLine& line, const Bounds& limit, double time) {
  const auto least = static_cast<double>(limit.least);
  if (time < line.floor) return least;
  return std::clamp((time - line.overhead) / line.per_sample, least,
                    static_cast<double>(limit.most));
}

std::vector<double> batches_by(std::span<const FinishLine> lines, std::span<const Bounds> limits,
                               double time) {
  std::vector<double> batches(lines.size());
  std::ranges::transform(
      lines, limits, batches.begin(),
      [time](const FinishLine& line, const Bounds& limit) { return batch_by(line, limit, time); });
  return batches;
}

double sum_of(const std::vector<double>& batches) {
  return std::accumulate(batches.begin(), batches.end(), 0.0);
}

// Sums of squared distances to a mean and to a line, of ranges of points.
class Squares {
 public:
  explicit Squares(const std::vector<StepTimePoint>& points) : sums_(points.size() + 1) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto batch = static_cast<double>(points[i].batch.count());
      const double time = points[i].time.count();
      const Sums& before = sums_[i];
      sums_[i + 1] = {before.b + batch, before.t + time, before.bb + batch * batch,
                      before.bt + batch * time, before.tt + time * time};
    }
  }

  struct Fit {
    double overhead{};
    double per_sample{};
    double error{};
  };
  // Of points `begin` to the last; a line needs two.
  [[nodiscard]] Fit line_from(std::size_t begin) const {
    const Sums sums = between(begin, sums_.size() - 1);
    const auto count = static_cast<double>(sums_.size() - 1 - begin);
    const double spread = count * sums.bb - sums.b * sums.b;
    const double per_sample = (count * sums.bt - sums.b * sums.t) / spread;
    const double overhead = (sums.t - per_sample * sums.b) / count;
    const double error = sums.tt - overhead * sums.t - per_sample * sums.bt;
    return {overhead, per_sample, std::max(error, 0.0)};
  }
  // Of the points before `end`.
  [[nodiscard]] Fit mean_until(std::size_t end) const {
    if (end == 0) return {};
    const Sums sums = between(0, end);
    const double mean = sums.t / static_cast<double>(end);
    return {mean, 0.0, std::max(sums.tt - mean * sums.t, 0.0)};
  }

 private:
  struct Sums {
    double b{};
    double t{};
    double bb{};
    double bt{};
    double tt{};
  };
  [[nodiscard]] Sums between(std::size_t begin, std::size_t end) const {
    const Sums& low = sums_[begin];
    const Sums& high = sums_[end];
    return {high.b - low.b, high.t - low.t, high.bb - low.bb, high.bt - low.bt, high.tt - low.tt};
  }
  std::vector<Sums> sums_;
};

}  // namespace

std::vector<double> equal_finish(std::span<const FinishLine> lines, std::int64_t total,
                                 std::span<const Bounds> limits) {
  double early = 0.0;
  double late = 0.0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    early = std::min(early, lines[i].overhead);
    late = std::max(late, time_of(lines[i], limits[i].most));
  }
  const auto aim = static_cast<double>(total);
  for (;;) {
    const double time = early + 0.5 * (late - early);
    if (!(time > early && time < late)) break;
    (sum_of(batches_by(lines, limits, time)) < aim ? early : late) = time;
    if (late - early <= 1e-14 * late) break;
  }
  // At a floor batches jump; what is missing before it is divided as the jumps are.
  std::vector<double> batches = batches_by(lines, limits, early);
  const std::vector<double> more = batches_by(lines, limits, late);
  const double missing = aim - sum_of(batches);
  const double jump = sum_of(more) - sum_of(batches);
  if (!(jump > 0.0)) return batches;
  const double part = std::clamp(missing / jump, 0.0, 1.0);
  std::ranges::transform(batches, more, batches.begin(),
                         [part](double low, double high) { return low + part * (high - low); });
  return batches;
}

FinishLine fitted_line(const StepTimeCurve& curve) {
  const std::vector<StepTimePoint>& points = curve.points();
  if (points.empty()) {
    const double overhead = curve.at(0.0).count();
    constexpr double far = 1024.0;
    return {.overhead = overhead, .per_sample = (curve.at(far).count() - overhead) / far};
  }
  const Squares squares{points};
  // Points that do not rise at all: as if without overhead.
  const double last = static_cast<double>(points.back().batch.count());
  FinishLine best{.overhead = 0.0, .per_sample = points.back().time.count() / last};
  bool found = false;
  double least_error = 0.0;
  for (std::size_t flat = 0; flat + 2 <= points.size(); ++flat) {
    const Squares::Fit line = squares.line_from(flat);
    const Squares::Fit floor = squares.mean_until(flat);
    const double error = line.error + floor.error;
    if (!(line.per_sample > 0.0) || (found && error >= least_error)) continue;
    best = {line.overhead, line.per_sample, floor.overhead};
    found = true;
    least_error = error;
  }
  return best;
}

}  // namespace dbsim
