#pragma once
// Work for a network: what is sent over what, and when hosts are ready.
#include <cstddef>
#include <vector>

#include "sim/base/instant.hpp"
#include "sim/model/collective.hpp"
#include "sim/topology/topology.hpp"

namespace dbsim::bench {

struct NetworkWork {
  Topology topology;
  Schedule schedule;
  std::vector<Span> ready;  // by worker
};

[[nodiscard]] NetworkWork ring_on_a_star(std::size_t ranks);
/// No two links alike, so that the ranks drift apart and hardly any two messages end together.
[[nodiscard]] NetworkWork ring_on_a_mixed_star(std::size_t ranks);
/// Neighbours of the ring sit anywhere under leaves whose link to the spine is as fast as four of
/// their sixteen hosts' together: nearly every message crosses two narrow links.
[[nodiscard]] NetworkWork shuffled_ring_on_four_to_one_leaves(std::size_t ranks);
/// Every arrival changes the rate of all flows to the server.
[[nodiscard]] NetworkWork parameter_server_with_unequal_starts(std::size_t workers);
/// No two messages alike: each completion changes the rates of about half of the others.
[[nodiscard]] NetworkWork unequal_all_to_all(std::size_t ranks);

}  // namespace dbsim::bench
