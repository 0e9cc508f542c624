#include "policies/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dbsim {

std::vector<double> in_proportion(std::span<const double> speeds, std::int64_t total) {
  // Relative to the fastest, because the plain sum of speeds could overflow.
  const double fastest = *std::ranges::max_element(speeds);
  std::vector<double> ideal(speeds.size());
  std::ranges::transform(speeds, ideal.begin(),
                         [fastest](double speed) { return speed / fastest; });
  const double sum = std::accumulate(ideal.begin(), ideal.end(), 0.0);
  for (double& part : ideal) part = static_cast<double>(total) * part / sum;
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
