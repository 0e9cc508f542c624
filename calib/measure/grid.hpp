#pragma once
// Which batch sizes to measure.
#include <cstdint>
#include <span>
#include <vector>

namespace dbsim::calib {

/// low, low * factor, ... rounded, and high. Needs 1 <= low <= high and factor > 1.
[[nodiscard]] std::vector<std::int64_t> geometric_grid(std::int64_t low, std::int64_t high,
                                                       double factor);

struct CurvePoint {
  std::int64_t batch{};
  double time{};
  double half_width{};  // of its interval, in the unit of time
};

/// Batch sizes to add where the curve bends: around each point that lies further from the straight
/// line between its neighbours than `tolerance` (relative) and than the intervals of the three
/// explain. A gap is halved only while its ends differ by more than a tenth. Points rise; so does
/// the result.
[[nodiscard]] std::vector<std::int64_t> where_it_bends(std::span<const CurvePoint> points,
                                                       double tolerance);

}  // namespace dbsim::calib
