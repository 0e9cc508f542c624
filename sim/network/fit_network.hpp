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
/// count less (Huber 1964). Where it has no message of which nine tenths are latency, but there is
/// a smaller one that is, that one says what the latency is. The latency never exceeds what the
/// smallest message leaves for it. The efficiencies are what makes time() pass through all measured
/// times, as far as these never fall with size; where they do, it takes the nearest that do not
/// (least squares of logarithms).
[[nodiscard]] NetworkFit fit_network(std::span<const MessageTime> measured);

}  // namespace dbsim
