#pragma once
// Whole numbers that keep a sum: how a batch, an epoch or a last partial step is divided.
#include <cstdint>
#include <span>
#include <vector>

namespace dbsim {

struct Bounds {
  std::int64_t least{0};
  std::int64_t most{INT64_MAX};
};

/// Whole numbers x_i with sum `total`, least_i <= x_i <= most_i, that minimise sum (x_i -
/// ideal_i)^2 exactly. Ties go to the smaller index. `bounds` is empty (none) or as long as
/// `ideal`. Needs finite ideals and sum(least) <= total <= sum(most). O(n log n), whatever the size
/// of `total`.
[[nodiscard]] std::vector<std::int64_t> apportion(std::span<const double> ideal, std::int64_t total,
                                                  std::span<const Bounds> bounds = {});

}  // namespace dbsim
