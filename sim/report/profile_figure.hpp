#pragma once
// Profiles as a drawing: step time and throughput by batch, what was measured and what the
// simulator makes of it.
#include <vector>

#include "sim/figure/figure.hpp"
#include "sim/profile/compare.hpp"
#include "sim/profile/merge.hpp"

namespace dbsim {

/// Of one profile also its phases and what other tasks cost; of several, all in the same panels,
/// told apart by device, by model, or by file, whichever comes first that does. At least one.
[[nodiscard]] Figure profile_figure(const std::vector<NamedProfile>& profiles);

/// Two profiles as above, and their ratio by batch. `differences` are those of the two; at least
/// one.
[[nodiscard]] Figure comparison_figure(const NamedProfile& first, const NamedProfile& second,
                                       const std::vector<ProfileDifference>& differences);

}  // namespace dbsim
