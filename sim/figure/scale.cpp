#include "sim/figure/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

using Ticks = std::vector<double>;

/// 2, -1 is 0.02: divided, not multiplied, where that is exact.
double digit_times_power(double digit, int power) {
  return power < 0 ? digit / std::pow(10.0, -power) : digit * std::pow(10.0, power);
}

Ticks even_ticks(double low, double high, std::size_t most) {
  // Values that are all the same get a scale that begins or ends at zero.
  if (low == high) (low > 0.0 ? low : high) = 0.0;
  if (low == high) high = 1.0;
  int power =
      static_cast<int>(std::floor(std::log10((high - low) / static_cast<double>(most)))) - 1;
  for (;; ++power) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double step = digit_times_power(digit, power);
      const double first = std::floor(low / step);
      const double last = std::ceil(high / step);
      if (last - first + 1.0 > static_cast<double>(most)) continue;
      Ticks ticks;
      const auto count = static_cast<std::int64_t>(last - first) + 1;
      for (std::int64_t i = 0; i < count; ++i) {
        ticks.push_back(digit_times_power((first + static_cast<double>(i)) * digit, power));
      }
      return ticks;
    }
  }
}

/// Of rising candidates, those from the last at or below `low` to the first at or above `high`.
Ticks enclosing(const Ticks& candidates, double low, double high) {
  auto first = std::ranges::upper_bound(candidates, low);
  if (first != candidates.begin()) --first;
  auto last = std::ranges::lower_bound(candidates, high);
  if (last == first) ++last;
  return {first, last + 1};
}

Ticks decade_ticks(double low, double high, std::size_t most) {
  const int first = static_cast<int>(std::floor(std::log10(low))) - 1;
  const int last = static_cast<int>(std::ceil(std::log10(high))) + 1;
  const auto ticks_of = [&](const std::vector<double>& digits, int stride) {
    Ticks all;
    const int lower = first - ((first % stride) + stride) % stride;
    for (int power = lower; power <= last + stride; power += stride) {
      for (const double digit : digits) all.push_back(digit_times_power(digit, power));
    }
    return enclosing(all, low, high);
  };
  for (const auto& digits : {Ticks{1.0, 2.0, 5.0}, Ticks{1.0, 3.0}}) {
    Ticks ticks = ticks_of(digits, 1);
    if (ticks.size() <= most) return ticks;
  }
  for (int stride = 1;; ++stride) {
    Ticks ticks = ticks_of({1.0}, stride);
    if (ticks.size() <= most) return ticks;
  }
}

Ticks doubling_ticks(double low, double high, std::size_t most) {
  for (int stride = 1;; ++stride) {
    const int first = static_cast<int>(std::floor(std::log2(low) / stride));
    const int last = std::max(static_cast<int>(std::ceil(std::log2(high) / stride)), first + 1);
    if (static_cast<std::size_t>(last - first) >= most) continue;
    Ticks ticks;
    for (int i = first; i <= last; ++i) ticks.push_back(std::ldexp(1.0, i * stride));
    return ticks;
  }
}

}  // namespace

Scale Scale::covering(Spacing spacing, double low, double high, std::size_t most) {
  check(std::isfinite(low) && std::isfinite(high) && low <= high, "a scale covers finite values");
  check(spacing == Spacing::even || low > 0.0, "a logarithmic scale covers positive values");
  check(most >= 4, "a scale may have four ticks");
  if (spacing == Spacing::even) return {Kind::even, even_ticks(low, high, most)};
  return {Kind::logarithmic, spacing == Spacing::decades ? decade_ticks(low, high, most)
                                                         : doubling_ticks(low, high, most)};
}

Scale Scale::rows(std::size_t count) {
  check(count > 0, "a scale has at least one row");
  Ticks ticks;
  for (std::size_t i = 0; i < count; ++i) ticks.push_back(static_cast<double>(i) + 0.5);
  return Scale{Kind::rows, std::move(ticks)}.reaching(0.0, static_cast<double>(count));
}

Scale Scale::reaching(double low, double high) const {
  Scale wider = *this;
  wider.low_ = std::min(low_, low);
  wider.high_ = std::max(high_, high);
  return wider;
}

double Scale::part(double value) const {
  switch (kind_) {
    case Kind::even:
      return (value - low_) / (high_ - low_);
    case Kind::logarithmic:
      return std::log(value / low_) / std::log(high_ / low_);
    case Kind::rows:
      return (high_ - value) / (high_ - low_);
  }
  return 0.0;
}

std::string tick_text(double value) {
  constexpr double exact_below = 1e15;
  const bool whole = value == std::round(value) && std::abs(value) < exact_below;
  if (!whole) return fmt::format("{:g}", value);
  std::string text = fmt::format("{}", std::llround(value));
  const std::size_t sign = value < 0.0 ? 1 : 0;
  for (std::size_t end = text.size(); end > sign + 3;) {
    end -= 3;
    text.insert(end, ",");
  }
  return text;
}

}  // namespace dbsim
