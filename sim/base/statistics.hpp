#pragma once
// What a few repeats say about the true mean. Pure functions of numbers.
#include <optional>
#include <span>
#include <vector>

namespace dbsim {

struct Interval {
  double low{};
  double high{};
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// A mean over repeats with its 95 % confidence interval (Student's t; empty for a single repeat).
struct Estimate {
  double mean{};
  std::optional<Interval> ci95;
  friend bool operator==(const Estimate&, const Estimate&) = default;
};

/// Needs at least one value. Equal values have exactly that mean.
[[nodiscard]] double mean(std::span<const double> values);
/// With n - 1 in the denominator; needs at least two values. Welford's updates, so that a small
/// spread around a large mean survives.
[[nodiscard]] double sample_standard_deviation(std::span<const double> values);
/// The quantile at 0 <= p <= 1 of at least one value, by linear interpolation between order
/// statistics (Hyndman and Fan 1996, definition 7).
[[nodiscard]] double quantile(std::vector<double> values, double p);
[[nodiscard]] double median(std::vector<double> values);
/// Quantile of Student's t distribution, 0 < p < 1.
[[nodiscard]] double student_t_quantile(double p, double degrees_of_freedom);

/// Mean and interval of independent values; needs at least one.
[[nodiscard]] Estimate estimate(std::span<const double> values);

/// Both need as many values as baselines; entry r of each comes from the same repeat, so what a
/// repeat does to both cancels before the spread is taken.
[[nodiscard]] Estimate paired_difference(std::span<const double> values,
                                         std::span<const double> baselines);
/// 1 - value / baseline; 0 where the baseline is 0.
[[nodiscard]] Estimate paired_saving(std::span<const double> values,
                                     std::span<const double> baselines);

}  // namespace dbsim
