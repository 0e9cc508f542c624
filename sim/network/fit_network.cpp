#include "sim/network/fit_network.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

constexpr double affine_tolerance = 0.05;
constexpr std::size_t least_affine_points = 3;

struct Line {
  double latency{};
  double per_byte{};
  [[nodiscard]] double at(double bytes) const { return latency + per_byte * bytes; }
};

double relative_error(const Line& line, const MessageTime& point) {
  return line.at(point.bytes.count()) / point.time.count() - 1.0;
}

/// Least squares of relative errors: the normal equations of 1 = latency / t + per_byte * s / t.
Line weighted_line(std::span<const MessageTime> points, std::span<const double> weights) {
  double uu = 0.0;
  double uv = 0.0;
  double vv = 0.0;
  double u1 = 0.0;
  double v1 = 0.0;
  // Sizes in units of the largest, so that the equations are well scaled.
  const double unit = points.back().bytes.count();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double u = 1.0 / points[i].time.count();
    const double v = points[i].bytes.count() / unit * u;
    uu += weights[i] * u * u;
    uv += weights[i] * u * v;
    vv += weights[i] * v * v;
    u1 += weights[i] * u;
    v1 += weights[i] * v;
  }
  const double determinant = uu * vv - uv * uv;
  const Line line{.latency = (u1 * vv - v1 * uv) / determinant,
                  .per_byte = (v1 * uu - u1 * uv) / determinant / unit};
  // Neither can be negative; the best line without the other part is then the answer.
  if (line.latency >= 0.0 && line.per_byte > 0.0) return line;
  return {.latency = 0.0, .per_byte = v1 / vv / unit};
}

/// Huber's weights, with the scale taken from the median of the errors' sizes.
Line robust_line(std::span<const MessageTime> points) {
  std::vector<double> weights(points.size(), 1.0);
  Line line = weighted_line(points, weights);
  constexpr int most_rounds = 50;
  constexpr double huber = 1.345;  // 95 % as efficient as plain least squares if all is normal
  constexpr double normal_scale = 1.4826;  // of the median absolute deviation
  constexpr double exact = 1e-12;          // below this, errors are rounding
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<double> sizes;
    for (const MessageTime& point : points) sizes.push_back(std::abs(relative_error(line, point)));
    std::vector<double> sorted = sizes;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::ranges::nth_element(sorted, middle);
    const double bound = std::max(huber * normal_scale * *middle, exact);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      weights[i] = sizes[i] <= bound ? 1.0 : bound / sizes[i];
    }
    const Line next = weighted_line(points, weights);
    const bool settled = std::abs(next.latency - line.latency) <= exact * line.latency &&
                         std::abs(next.per_byte - line.per_byte) <= exact * line.per_byte;
    line = next;
    if (settled) break;
  }
  return line;
}

double largest_error(const Line& line, std::span<const MessageTime> points) {
  double largest = 0.0;
  for (const MessageTime& point : points) {
    largest = std::max(largest, std::abs(relative_error(line, point)));
  }
  return largest;
}

/// At most one point in ten may lie further off than the tolerance, and not the first one, where
/// the next protocol may begin.
bool describes(const Line& line, std::span<const MessageTime> points) {
  const auto is_off = [&](const MessageTime& point) {
    return std::abs(relative_error(line, point)) > affine_tolerance;
  };
  const auto off = std::ranges::count_if(points, is_off);
  return !is_off(points.front()) && 10 * static_cast<std::size_t>(off) <= points.size();
}

struct AffinePart {
  std::span<const MessageTime> points;
  Line line;
};

AffinePart affine_part(std::span<const MessageTime> measured) {
  for (std::size_t first = 0; first + least_affine_points < measured.size(); ++first) {
    const auto points = measured.subspan(first);
    const Line line = robust_line(points);
    if (describes(line, points)) return {points, line};
  }
  const auto points = measured.last(std::min(least_affine_points, measured.size()));
  return {points, robust_line(points)};
}

/// The nearest times that never fall with size, in least squares of logarithms: neighbours that
/// fall are pooled into their geometric mean (Ayer et al. 1955).
std::vector<double> rising_times(std::span<const MessageTime> measured) {
  struct Pool {
    double log_sum;
    std::size_t count;
    [[nodiscard]] double mean() const { return log_sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (const MessageTime& point : measured) {
    pools.push_back({std::log(point.time.count()), 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().log_sum += last.log_sum;
      pools.back().count += last.count;
    }
  }
  std::vector<double> times;
  for (const Pool& pool : pools) times.insert(times.end(), pool.count, std::exp(pool.mean()));
  return times;
}

/// `smallest` took `its_time`.
double latency_of(const AffinePart& affine, Bytes smallest, double its_time) {
  const auto transfer = [&](Bytes bytes) { return affine.line.per_byte * bytes.count(); };
  // Something is left of every time, or no efficiency could make it up.
  constexpr double short_of_all = 1.0 - 1e-9;
  const double most =
      std::max(0.0, std::min(its_time - transfer(smallest), short_of_all * its_time));
  const auto is_small = [&](Bytes bytes, double time) {
    constexpr double small_part = 0.1;
    return transfer(bytes) < small_part * time;
  };
  const MessageTime& first = affine.points.front();
  const bool line_tells = is_small(first.bytes, first.time.count());
  return !line_tells && is_small(smallest, its_time) ? most : std::min(most, affine.line.latency);
}

void check_usable(std::span<const MessageTime> measured) {
  check(measured.size() >= 2, "two sizes are measured at least");
  for (std::size_t i = 0; i < measured.size(); ++i) {
    check(measured[i].bytes.count() > 0.0 && measured[i].time.count() > 0.0,
          "sizes and times are positive");
    check(i == 0 || measured[i - 1].bytes < measured[i].bytes, "sizes rise");
  }
}

}  // namespace

NetworkFit fit_network(std::span<const MessageTime> measured) {
  check_usable(measured);
  const AffinePart affine = affine_part(measured);
  const std::vector<double> times = rising_times(measured);
  NetworkFit fit;
  fit.latency = Seconds{latency_of(affine, measured.front().bytes, times.front())};
  fit.bandwidth = BytesPerSecond{1.0 / affine.line.per_byte};
  fit.affine_from = affine.points.front().bytes;
  fit.affine_residual = largest_error(affine.line, affine.points);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const double transfer = affine.line.per_byte * measured[i].bytes.count();
    fit.efficiency.push_back({measured[i].bytes, transfer / (times[i] - fit.latency.count())});
  }
  for (const MessageTime& point : measured) {
    fit.residual = std::max(fit.residual, std::abs(fit.time(point.bytes) / point.time - 1.0));
  }
  return fit;
}

}  // namespace dbsim
