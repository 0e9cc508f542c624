#pragma once
// The networks that clusters have, each by the few numbers that make it.
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/topology/network.hpp"

namespace dbsim {

/// All hosts on one switch, however many there are.
struct SingleSwitch {
  Cable link;            // of each host; the latency is that from host to host: half on each link
  std::size_t ports{1};  // such links of each host
  friend bool operator==(const SingleSwitch&, const SingleSwitch&) = default;
};
[[nodiscard]] Network single_switch(const SingleSwitch& shape, std::size_t hosts);

/// Hosts on leaves; each leaf joined to each spine by one link. What the hosts of a leaf can send
/// is `oversubscription` times what its uplinks carry, unless `uplink` gives their bandwidth.
struct LeafSpine {
  std::size_t leaves{1};
  std::size_t hosts{1};  // on each leaf
  std::size_t spines{1};
  Cable link;            // of each host; the uplinks have the same latency
  std::size_t ports{1};  // such links of each host
  double oversubscription{1.0};
  std::optional<BytesPerSecond> uplink{};
  friend bool operator==(const LeafSpine&, const LeafSpine&) = default;
};
[[nodiscard]] Network leaf_spine(const LeafSpine& shape);

/// The k-ary fat tree of Al-Fares, Loukissas and Vahdat (2008): k pods of k/2 edge and k/2
/// aggregation switches, (k/2)^2 cores, k/2 hosts on each edge switch. All links above the edge
/// switches have 1/oversubscription of the bandwidth of the hosts'.
struct FatTree {
  std::size_t k{2};  // ports of each switch; even
  Cable link;
  double oversubscription{1.0};
  friend bool operator==(const FatTree&, const FatTree&) = default;
};
[[nodiscard]] Network fat_tree(const FatTree& shape);

/// The dragonfly of Kim, Dally, Scott and Abts (2008). The routers of a group are all joined to
/// each other; each has `global_links` to other groups, of which as many are used as give every
/// pair of groups the same number: at least one. Routes are minimal: one global link between two
/// groups.
struct Dragonfly {
  std::size_t groups{1};
  std::size_t routers{1};       // of each group; a in the paper
  std::size_t hosts{1};         // on each router; p
  std::size_t global_links{1};  // of each router; h. groups <= routers * global_links + 1
  Cable link;                   // of hosts, and inside groups
  Cable global_link;
  friend bool operator==(const Dragonfly&, const Dragonfly&) = default;
};
[[nodiscard]] Network dragonfly(const Dragonfly& shape);

/// A grid that closes in each dimension. Hosts sit on the nodes; what passes a node is forwarded by
/// its switch, so that it crosses neither the host nor its link. A dimension of two is one link.
struct Torus {
  std::vector<std::size_t> sizes;  // the first counts fastest
  Cable link;                      // between neighbours
  /// Of a host to its switch, without latency; empty: all that the node's links carry together.
  std::optional<BytesPerSecond> host_bandwidth{};
  friend bool operator==(const Torus&, const Torus&) = default;
};
[[nodiscard]] Network torus(const Torus& shape);

/// Hosts are the GPUs of nodes. Inside, they are joined by a switch (NVLink or PCIe); outside, each
/// node hangs on a network in the place of a host, by as many ports as it has network cards.
struct GpuNodes {
  std::size_t gpus{1};  // of each node
  Cable inside;         // of each GPU, to the switch of its node
  std::variant<SingleSwitch, LeafSpine> outside;
  friend bool operator==(const GpuNodes&, const GpuNodes&) = default;
};
[[nodiscard]] Network gpu_nodes(const GpuNodes& shape, std::size_t hosts);

using TopologySpec =
    std::variant<SingleSwitch, LeafSpine, FatTree, Dragonfly, Torus, GpuNodes, Network>;

/// The network with room for so many hosts; one of fixed size is as it is.
[[nodiscard]] Network build(const TopologySpec& spec, std::size_t hosts);
/// How many hosts it has; empty when it has as many as are wanted.
[[nodiscard]] std::optional<std::size_t> hosts_of(const TopologySpec& spec);
/// In a few words: "leaf-spine of 4 leaves and 2 spines, 16 hosts".
[[nodiscard]] std::string to_text(const TopologySpec& spec);

}  // namespace dbsim
