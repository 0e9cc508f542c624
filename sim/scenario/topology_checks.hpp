#pragma once
// What must hold between the workers and the network they run on.
#include <vector>

#include "sim/base/error.hpp"
#include "sim/scenario/draft.hpp"
#include "sim/scenario/scenario.hpp"

namespace dbsim {

/// A host for each worker and server, a path between any two of them, links of their own only where
/// the network gives them one.
void check_topology(const Scenario& scenario, const ScenarioDraft& draft,
                    std::vector<Problem>& problems);

/// Whether it is clear which link is a worker's own.
[[nodiscard]] bool workers_have_links(const TopologySpec& topology);

/// The least bandwidth of all links and caps that messages reach beside others' flows, and the
/// overhead of a message and a latency that no route exceeds.
[[nodiscard]] Cable worst_route(const Scenario& scenario, const PlayedNetwork& played);

}  // namespace dbsim
