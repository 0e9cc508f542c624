#pragma once
// From speeds to whole numbers of samples: the ideal batches, and the authors' way to round them.
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/apportion.hpp"

namespace dbsim {

/// total * speed_i / sum of speeds; where that leaves the limits of a worker, it has its limit, and
/// the rest is divided among the others in proportion again (least squares alone would divide it
/// alike, and a worker ten times slower would get as much more as a fast one). For speeds that are
/// finite, not negative and not all zero, and limits that the total can keep.
[[nodiscard]] std::vector<double> in_proportion(std::span<const double> speeds, std::int64_t total,
                                                std::span<const Bounds> limits);

/// get_size in the authors' dbs.py (d3b514d): floors; of the m workers with the largest fractions,
/// m = total - sum of floors, those gain one whose fraction is also at least 0.5. The sum may
/// therefore stay below the total. (The paper's own rounding is apportion in sim/base.)
///
/// NumPy leaves the order of equal fractions open; here it is stable ascending, so that among equal
/// fractions the last workers count as largest.
[[nodiscard]] std::vector<std::int64_t> round_like_the_program(std::span<const double> ideal,
                                                               std::int64_t total);

}  // namespace dbsim
