#include "policies/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace dbsim {

namespace {

double held(double ideal, const Bounds& limits) {
  return std::clamp(ideal, static_cast<double>(limits.least), static_cast<double>(limits.most));
}

// The samples per unit of speed at which the limited shares add up to the total: the sum is
// piecewise linear and rises, so Newton's steps end on the right piece, usually after two or three.
// Every fourth step halves the bracket instead, in the logarithm because speeds span any range.
double samples_per_speed(std::span<const double> speeds, double total,
                         std::span<const Bounds> limits) {
  double low = std::numeric_limits<double>::max();
  double high = 0.0;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    if (speeds[i] == 0.0) continue;
    low = std::min(low, static_cast<double>(limits[i].least) / speeds[i]);
    high = std::max(high, static_cast<double>(limits[i].most) / speeds[i]);
  }
  high = std::min(high, std::numeric_limits<double>::max());
  double level = total / std::accumulate(speeds.begin(), speeds.end(), 0.0);
  for (int step = 1;; ++step) {
    double sum = 0.0;
    double moving = 0.0;
    for (std::size_t i = 0; i < speeds.size(); ++i) {
      const double share = held(level * speeds[i], limits[i]);
      sum += share;
      if (share == level * speeds[i]) moving += speeds[i];
    }
    const double missing = total - sum;
    if (std::abs(missing) <= 1e-10 * total) return level;
    (missing > 0.0 ? low : high) = level;
    level += missing / moving;  // infinite when nobody moves: outside the bracket
    if (step % 4 == 0 || !(level > low && level < high)) level = std::sqrt(low) * std::sqrt(high);
    if (!(level > low && level < high)) return low;
  }
}

}  // namespace

std::vector<double> in_proportion(std::span<const double> speeds, std::int64_t total,
                                  std::span<const Bounds> limits) {
  // Relative to the fastest, because the plain sum of speeds could overflow.
  const double fastest = *std::ranges::max_element(speeds);
  std::vector<double> ideal(speeds.size());
  std::ranges::transform(speeds, ideal.begin(),
                         [fastest](double speed) { return speed / fastest; });
  const double level = samples_per_speed(ideal, static_cast<double>(total), limits);
  std::ranges::transform(ideal, limits, ideal.begin(), [level](double speed, const Bounds& limit) {
    return held(level * speed, limit);
  });
  return ideal;
}

std::vector<std::int64_t> round_like_the_program(std::span<const double> ideal,
                                                 std::int64_t total) {
  std::vector<std::int64_t> rounded(ideal.size());
  std::vector<double> fraction(ideal.size());
  for (std::size_t i = 0; i < ideal.size(); ++i) {
    const double floor = std::floor(ideal[i]);
    rounded[i] = static_cast<std::int64_t>(floor);
    fraction[i] = ideal[i] - floor;
  }
  std::vector<std::size_t> ascending(ideal.size());
  std::iota(ascending.begin(), ascending.end(), std::size_t{0});
  std::ranges::stable_sort(ascending, {}, [&fraction](std::size_t i) { return fraction[i]; });

  // Python's ascending[-m:]: the last m; everybody when m is 0, which is harmless because then no
  // fraction reaches 0.5; all but the first |m| when m is negative.
  const std::int64_t workers = std::ssize(ideal);
  const std::int64_t m = total - std::accumulate(rounded.begin(), rounded.end(), std::int64_t{0});
  const std::int64_t first = m > 0 ? std::max<std::int64_t>(workers - m, 0) : std::min(-m, workers);
  for (auto i = static_cast<std::size_t>(first); i < ascending.size(); ++i) {
    if (fraction[ascending[i]] >= 0.5) ++rounded[ascending[i]];
  }
  return rounded;
}

}  // namespace dbsim
