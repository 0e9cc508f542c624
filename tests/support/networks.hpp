#pragma once
// Networks of every kind drawn at random, small enough that a property can be checked on thousands.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/topology/network.hpp"

namespace dbsim::test {

struct DrawnNetwork {
  std::string kind;  // said when a property fails
  Network network;
};

/// One of the shapes (or a graph drawn link by link) with random sizes and cables; sometimes links
/// differ, hosts are capped or both directions share a link. Hosts of a graph may be apart.
[[nodiscard]] DrawnNetwork draw_network(RandomStream& random);

}  // namespace dbsim::test
