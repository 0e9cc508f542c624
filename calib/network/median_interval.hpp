#pragma once
// What repetitions say about the median.
#include <cstddef>
#include <optional>
#include <vector>

#include "sim/network/network_document.hpp"

namespace dbsim::calib {

/// Which order statistic, counted from 1, is the lower end of the 95 % interval of the median of
/// `count` independent values; the upper end is as far from the other side. From the binomial
/// distribution, hence at least 95 %. Empty below six values: all of them are not enough then.
[[nodiscard]] std::optional<std::size_t> median_rank(std::size_t count);

/// Needs at least one value.
[[nodiscard]] OperationTime summary_of(std::vector<double> seconds);

/// Half the width of the median's interval, relative to the median; empty where there is none.
[[nodiscard]] std::optional<double> relative_half_width(const OperationTime& time);

}  // namespace dbsim::calib
