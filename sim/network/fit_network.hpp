#pragma once
// From measured times to a latency, a bandwidth and efficiencies.
#include <span>

#include "sim/base/units.hpp"
#include "sim/network/network_fit.hpp"

namespace dbsim {

struct MessageTime {
  Bytes bytes;
  Seconds time;
};

/// Needs at least two sizes, positive and rising, with positive times.
///
/// Latency and bandwidth come from the affine part: the longest run of the largest sizes that a
/// straight line describes to 5 %, fitted by least squares of relative errors in which outliers
/// count less (Huber 1964). The latency is then lowered, if need be, until the smallest message
/// takes at least as long as the bandwidth alone would have it. The efficiencies are what makes
/// time() pass through all measured times, as far as these never fall with size; where they do,
/// it takes the nearest that do not (least squares of logarithms).
[[nodiscard]] NetworkFit fit_network(std::span<const MessageTime> measured);

}  // namespace dbsim
