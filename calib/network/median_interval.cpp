#include "calib/network/median_interval.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/check.hpp"
#include "sim/base/statistics.hpp"

namespace dbsim::calib {

std::optional<std::size_t> median_rank(std::size_t count) {
  const double n = static_cast<double>(count);
  const double log_all = n * std::log(2.0);
  double below = 0.0;  // probability that fewer than rank + 1 values lie below the median
  std::size_t rank = 0;
  for (;; ++rank) {
    const double k = static_cast<double>(rank);
    below +=
        std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) - log_all);
    constexpr double tail = 0.025;
    if (below > tail) break;
  }
  return rank > 0 ? std::optional{rank} : std::nullopt;
}

OperationTime summary_of(std::vector<double> seconds) {
  check(!seconds.empty(), "something was measured");
  std::ranges::sort(seconds);
  constexpr double low_percentile = 0.05;
  OperationTime time;
  time.median = median(seconds);
  time.p05 = quantile(seconds, low_percentile);
  time.p95 = quantile(seconds, 1.0 - low_percentile);
  time.repetitions = static_cast<std::int64_t>(seconds.size());
  if (const auto rank = median_rank(seconds.size())) {
    time.low = seconds[*rank - 1];
    time.high = seconds[seconds.size() - *rank];
  }
  return time;
}

std::optional<double> relative_half_width(const OperationTime& time) {
  if (!time.low || !time.high) return std::nullopt;
  return 0.5 * (*time.high - *time.low) / time.median;
}

}  // namespace dbsim::calib
