#pragma once
// Flows that start at a time or after one another, over channels whose bandwidth may change.
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/instant.hpp"
#include "sim/base/units.hpp"
#include "sim/model/fair_share.hpp"
#include "sim/topology/topology.hpp"

namespace dbsim {

struct PlannedFlow {
  Route route;
  Bytes size;
  BytesPerSecond limit{unlimited};
  Seconds start{};  // asked for so long after time zero, or after the last flow of `after`
  std::vector<std::size_t> after{};  // by their place among the flows
};

struct BandwidthStep {  // from `at` on
  ChannelIndex channel{};
  BytesPerSecond bandwidth;
  Seconds at{};
};

/// When the last byte of each flow has arrived. Empty for those that never finish: without
/// bandwidth, or after flows that never finish, be it themselves.
[[nodiscard]] std::vector<std::optional<Instant>> play_flows(
    std::span<const BytesPerSecond> capacities, std::span<const PlannedFlow> flows,
    std::span<const BandwidthStep> steps);

}  // namespace dbsim
