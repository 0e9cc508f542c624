#include "sim/base/step_time_curve.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

double batch_of(const StepTimePoint& point) { return static_cast<double>(point.batch.count()); }

double secant(const StepTimePoint& left, const StepTimePoint& right) {
  return (right.time - left.time).count() / (batch_of(right) - batch_of(left));
}

// Slopes that keep the interpolant monotone wherever the points are (Fritsch and Carlson 1980).
std::vector<double> monotone_slopes(const std::vector<StepTimePoint>& points) {
  const std::size_t count = points.size();
  std::vector<double> slopes(count);
  slopes.front() = secant(points[0], points[1]);
  slopes.back() = secant(points[count - 2], points[count - 1]);
  for (std::size_t i = 1; i + 1 < count; ++i) {
    const double left = secant(points[i - 1], points[i]);
    const double right = secant(points[i], points[i + 1]);
    slopes[i] = left * right <= 0.0 ? 0.0 : 2.0 * left * right / (left + right);
  }
  return slopes;
}

}  // namespace

StepTimeCurve::StepTimeCurve(std::vector<StepTimePoint> points) : points_{std::move(points)} {
  check(points_.size() >= 2, "a step-time curve has at least two points");
  for (std::size_t i = 0; i < points_.size(); ++i) {
    check(points_[i].batch.count() > 0 && points_[i].time.count() > 0.0,
          "batches and step times are positive");
    check(i == 0 || points_[i - 1].batch < points_[i].batch, "batches of a step-time curve rise");
  }
  slopes_ = monotone_slopes(points_);
}

StepTimeCurve StepTimeCurve::affine(Seconds overhead, Seconds per_sample) {
  check(overhead.count() >= 0.0 && per_sample.count() > 0.0,
        "an affine step time rises and starts at or above zero");
  StepTimeCurve curve;
  curve.overhead_ = overhead.count();
  curve.per_sample_ = per_sample.count();
  return curve;
}

Seconds StepTimeCurve::at(double batch) const {
  if (points_.empty()) return Seconds{overhead_ + per_sample_ * batch};
  if (batch <= batch_of(points_.front())) {
    const double time =
        points_.front().time.count() + slopes_.front() * (batch - batch_of(points_.front()));
    return Seconds{std::max(time, 0.0)};
  }
  if (batch >= batch_of(points_.back())) {
    const double time =
        points_.back().time.count() + slopes_.back() * (batch - batch_of(points_.back()));
    return Seconds{std::max(time, 0.0)};
  }
  const auto right = std::ranges::upper_bound(points_, batch, {}, batch_of);
  const auto left = std::prev(right);
  const auto i = static_cast<std::size_t>(left - points_.begin());
  const double width = batch_of(*right) - batch_of(*left);
  const double u = (batch - batch_of(*left)) / width;
  const double rest = 1.0 - u;
  return Seconds{left->time.count() * (1.0 + 2.0 * u) * rest * rest +
                 right->time.count() * u * u * (3.0 - 2.0 * u) +
                 width * u * rest * (slopes_[i] * rest - slopes_[i + 1] * u)};
}

std::optional<StepTimeCurve::Range> StepTimeCurve::measured() const {
  if (points_.empty()) return std::nullopt;
  return Range{points_.front().batch, points_.back().batch};
}

bool StepTimeCurve::rises() const {
  return std::ranges::is_sorted(points_, {}, &StepTimePoint::time) &&
         (slopes_.empty() || slopes_.front() >= 0.0);
}

StepTimeCurve StepTimeCurve::scaled(double factor) const {
  check(std::isfinite(factor) && factor > 0.0, "a curve is scaled by a positive number");
  StepTimeCurve curve = *this;
  for (StepTimePoint& point : curve.points_) point.time *= factor;
  for (double& slope : curve.slopes_) slope *= factor;
  curve.overhead_ *= factor;
  curve.per_sample_ *= factor;
  return curve;
}

}  // namespace dbsim
