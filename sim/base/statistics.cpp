#include "sim/base/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

struct Moments {
  double mean{};
  double squares{};  // sum of squared deviations from the mean
};

Moments moments(std::span<const double> values) {
  Moments result;
  double count = 0.0;
  for (const double value : values) {
    count += 1.0;
    const double before = value - result.mean;
    result.mean += before / count;
    result.squares += before * (value - result.mean);
  }
  return result;
}

template <class Combine>
Estimate paired(std::span<const double> values, std::span<const double> baselines,
                const Combine& combine) {
  check(values.size() == baselines.size(), "paired values come from the same repeats");
  std::vector<double> pairs;
  pairs.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) pairs.push_back(combine(values[i], baselines[i]));
  return estimate(pairs);
}

}  // namespace

double mean(std::span<const double> values) {
  check(!values.empty(), "a mean is of at least one value");
  return moments(values).mean;
}

double sample_standard_deviation(std::span<const double> values) {
  check(values.size() >= 2, "a spread is of at least two values");
  return std::sqrt(moments(values).squares / static_cast<double>(values.size() - 1));
}

double quantile(std::vector<double> values, double p) {
  check(!values.empty(), "a quantile is of at least one value");
  std::ranges::sort(values);
  const double place = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

double student_t_quantile(double p, double degrees_of_freedom) {
  return boost::math::quantile(boost::math::students_t{degrees_of_freedom}, p);
}

Estimate estimate(std::span<const double> values) {
  Estimate result{.mean = mean(values), .ci95 = std::nullopt};
  if (values.size() < 2) return result;
  const auto count = static_cast<double>(values.size());
  const double error = sample_standard_deviation(values) / std::sqrt(count);
  const double half_width = student_t_quantile(0.975, count - 1.0) * error;
  result.ci95 = Interval{.low = result.mean - half_width, .high = result.mean + half_width};
  return result;
}

Estimate paired_difference(std::span<const double> values, std::span<const double> baselines) {
  return paired(values, baselines, [](double value, double baseline) { return value - baseline; });
}

Estimate paired_saving(std::span<const double> values, std::span<const double> baselines) {
  return paired(values, baselines, [](double value, double baseline) {
    return baseline == 0.0 ? 0.0 : 1.0 - value / baseline;
  });
}

}  // namespace dbsim
