#pragma once
// Flows that wait for each other, and so for ever.
#include <cstddef>
#include <span>
#include <vector>

#include "sim/engine/play_flows.hpp"

namespace dbsim {

/// Flows of which each waits for the next and the last for the first; empty when there are none.
[[nodiscard]] std::vector<std::size_t> waiting_circle(std::span<const PlannedFlow> flows);

}  // namespace dbsim
