// Single switch, leaf-spine, fat tree.
#include "sim/base/check.hpp"
#include "sim/topology/shapes.hpp"

namespace dbsim {

Network single_switch(const SingleSwitch& shape, std::size_t hosts) {
  check(shape.ports >= 1, "a host has a link");
  Network network = nodes(hosts, {{"switch", 1}});
  const auto center = static_cast<NodeIndex>(hosts);
  for (NodeIndex host = 0; host < center; ++host) {
    for (std::size_t port = 0; port < shape.ports; ++port) {
      join(network, host, center, {shape.link.bandwidth, shape.link.latency / 2.0});
    }
  }
  return network;
}

Network leaf_spine(const LeafSpine& shape) {
  check(shape.ports >= 1, "a host has a link");
  const std::size_t hosts = shape.leaves * shape.hosts;
  Network network = nodes(hosts, {{"leaf", shape.leaves}, {"spine", shape.spines}});
  const auto first_leaf = static_cast<NodeIndex>(hosts);
  const auto first_spine = static_cast<NodeIndex>(hosts + shape.leaves);
  for (NodeIndex host = 0; host < first_leaf; ++host) {
    const auto leaf = static_cast<NodeIndex>(host / shape.hosts);
    for (std::size_t port = 0; port < shape.ports; ++port) {
      join(network, host, first_leaf + leaf, shape.link);
    }
  }
  const double down = static_cast<double>(shape.hosts * shape.ports) * shape.link.bandwidth.count();
  const BytesPerSecond share{down / shape.oversubscription / static_cast<double>(shape.spines)};
  const Cable uplink{shape.uplink.value_or(share), shape.link.latency};
  for (NodeIndex leaf = first_leaf; leaf < first_spine; ++leaf) {
    for (NodeIndex spine = 0; spine < shape.spines; ++spine) {
      join(network, leaf, first_spine + spine, uplink);
    }
  }
  return network;
}

Network fat_tree(const FatTree& shape) {
  check(shape.k >= 2 && shape.k % 2 == 0,
        "the switches of a fat tree have an even number of ports");
  const auto half = static_cast<NodeIndex>(shape.k / 2);
  const auto pods = static_cast<NodeIndex>(shape.k);
  const NodeIndex hosts = pods * half * half;
  const NodeIndex first_edge = hosts;
  const NodeIndex first_aggregation = first_edge + pods * half;
  const NodeIndex first_core = first_aggregation + pods * half;
  const std::size_t square = shape.k * shape.k;
  Network network =
      nodes(hosts, {{"edge", square / 2}, {"aggregation", square / 2}, {"core", square / 4}});
  for (NodeIndex host = 0; host < hosts; ++host) {
    join(network, host, first_edge + host / half, shape.link);
  }
  const Cable above{BytesPerSecond{shape.link.bandwidth.count() / shape.oversubscription},
                    shape.link.latency};
  for (NodeIndex pod = 0; pod < pods; ++pod) {
    for (NodeIndex i = 0; i < half; ++i) {
      const NodeIndex aggregation = first_aggregation + pod * half + i;
      for (NodeIndex j = 0; j < half; ++j) {
        join(network, first_edge + pod * half + j, aggregation, above);
        join(network, aggregation, first_core + i * half + j, above);
      }
    }
  }
  return network;
}

}  // namespace dbsim
