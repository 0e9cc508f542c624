#include "sim/topology/network.hpp"

#include <fmt/format.h>

namespace dbsim {

std::string name_of(const Network& network, NodeIndex node) {
  if (node < network.names.size()) return network.names[node];
  if (node < network.hosts) return fmt::format("host/{}", node);
  return fmt::format("switch/{}", node - network.hosts);
}

Network nodes(std::size_t hosts, std::initializer_list<SwitchGroup> switches) {
  Network network{.hosts = hosts, .switches = 0, .links = {}, .routes = {}};
  for (std::size_t i = 0; i < hosts; ++i) network.names.push_back(fmt::format("host/{}", i));
  for (const SwitchGroup& group : switches) {
    network.switches += group.count;
    for (std::size_t i = 0; i < group.count; ++i) {
      network.names.push_back(fmt::format("{}/{}", group.name, i));
    }
  }
  return network;
}

void join(Network& network, NodeIndex from, NodeIndex to, const Cable& cable) {
  network.links.push_back({.from = from,
                           .to = to,
                           .bandwidth = cable.bandwidth,
                           .latency = cable.latency,
                           .duplex = Duplex::full});
}

Network star(std::span<const BytesPerSecond> bandwidths, Seconds latency) {
  Network network{.hosts = bandwidths.size(), .switches = 1, .links = {}, .routes = {}};
  const auto center = static_cast<NodeIndex>(bandwidths.size());
  for (NodeIndex host = 0; host < center; ++host) {
    join(network, host, center, {bandwidths[host], latency / 2.0});
  }
  return network;
}

Network star(std::size_t hosts, BytesPerSecond bandwidth, Seconds latency) {
  return star(std::vector<BytesPerSecond>(hosts, bandwidth), latency);
}

}  // namespace dbsim
