#include "calib/measure/grid.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/base/check.hpp"

namespace dbsim::calib {

namespace {

void keep_distinct(std::vector<std::int64_t>& batches) {
  std::sort(batches.begin(), batches.end());
  batches.erase(std::unique(batches.begin(), batches.end()), batches.end());
}

std::optional<std::int64_t> between(std::int64_t low, std::int64_t high) {
  constexpr std::int64_t near = 10;
  if (high - low < 2 || (high - low) * near <= high) return std::nullopt;
  return low + (high - low) / 2;
}

}  // namespace

std::vector<std::int64_t> geometric_grid(std::int64_t low, std::int64_t high, double factor) {
  check(1 <= low && low <= high && factor > 1.0, "a grid of batches rises");
  std::vector<std::int64_t> batches;
  auto batch = static_cast<double>(low);
  while (batch < static_cast<double>(high)) {
    batches.push_back(std::llround(batch));
    batch *= factor;
  }
  batches.push_back(high);
  keep_distinct(batches);
  return batches;
}

std::vector<std::int64_t> where_it_bends(std::span<const CurvePoint> points, double tolerance) {
  std::vector<std::int64_t> added;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const CurvePoint& left = points[i - 1];
    const CurvePoint& here = points[i];
    const CurvePoint& right = points[i + 1];
    const double weight = static_cast<double>(here.batch - left.batch) /
                          static_cast<double>(right.batch - left.batch);
    const double straight = std::lerp(left.time, right.time, weight);
    const double doubt =
        std::hypot(here.half_width, std::lerp(left.half_width, right.half_width, weight));
    if (std::abs(here.time - straight) <= std::max(tolerance * straight, doubt)) continue;
    for (const auto& middle : {between(left.batch, here.batch), between(here.batch, right.batch)}) {
      if (middle) added.push_back(*middle);
    }
  }
  keep_distinct(added);
  return added;
}

}  // namespace dbsim::calib
