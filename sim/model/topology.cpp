#include "sim/model/topology.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

using Ends = std::pair<NodeIndex, NodeIndex>;

Ends ends_of(const GivenRoute& route) { return {route.from, route.to}; }

void check_links(const Network& network) {
  const std::size_t nodes = network.hosts + network.switches;
  for (const Link& link : network.links) {
    check(link.from < nodes && link.to < nodes, "a link joins nodes of its network");
    check(std::isfinite(link.bandwidth.count()) && link.bandwidth.count() >= 0.0,
          "a bandwidth is a number from zero up");
    check(std::isfinite(link.latency.count()) && link.latency.count() >= 0.0,
          "a latency is a number from zero up");
  }
}

}  // namespace

Network star(std::span<const BytesPerSecond> bandwidths, Seconds latency) {
  Network network{.hosts = bandwidths.size(), .switches = 1, .links = {}, .routes = {}};
  const auto center = static_cast<NodeIndex>(bandwidths.size());
  for (NodeIndex host = 0; host < center; ++host) {
    network.links.push_back({.from = host,
                             .to = center,
                             .bandwidth = bandwidths[host],
                             .latency = latency / 2.0,
                             .duplex = Duplex::full});
  }
  return network;
}

Network star(std::size_t hosts, BytesPerSecond bandwidth, Seconds latency) {
  return star(std::vector<BytesPerSecond>(hosts, bandwidth), latency);
}

Topology::Topology(Network network) : network_{std::move(network)} {
  check_links(network_);
  std::ranges::stable_sort(network_.routes, {}, ends_of);
  first_edge_.assign(network_.hosts + network_.switches + 1, 0);
  for (const Link& link : network_.links) {
    first_channel_.push_back(static_cast<ChannelIndex>(capacities_.size()));
    capacities_.insert(capacities_.end(), link.duplex == Duplex::full ? 2 : 1, link.bandwidth);
    ++first_edge_[link.from + 1];
    ++first_edge_[link.to + 1];
  }
  for (std::size_t node = 1; node < first_edge_.size(); ++node) {
    first_edge_[node] += first_edge_[node - 1];
  }
  edges_.resize(2 * network_.links.size());
  std::vector<std::size_t> next = first_edge_;
  for (LinkIndex i = 0; i < network_.links.size(); ++i) {
    const Link& link = network_.links[i];
    edges_[next[link.from]++] = {{i, Direction::forward}, link.to};
    edges_[next[link.to]++] = {{i, Direction::backward}, link.from};
  }
}

ChannelIndex Topology::channel(Hop hop) const {
  const bool second =
      hop.direction == Direction::backward && network_.links[hop.link].duplex == Duplex::full;
  return first_channel_[hop.link] + (second ? 1 : 0);
}

std::optional<Route> Topology::route(NodeIndex from, NodeIndex to) const {
  check(from < network_.hosts && to < network_.hosts, "routes lead from host to host");
  if (from == to) return Route{};
  const auto given = std::ranges::lower_bound(network_.routes, Ends{from, to}, {}, ends_of);
  if (given != network_.routes.end() && ends_of(*given) == Ends{from, to}) {
    return along(given->hops);
  }
  const std::optional<std::vector<Hop>> hops = fewest_links(from, to);
  if (!hops) return std::nullopt;
  return along(*hops);
}

Route Topology::along(std::span<const Hop> hops) const {
  Route route;
  route.channels.reserve(hops.size());
  for (const Hop hop : hops) {
    check(hop.link < network_.links.size(), "a route crosses links of its network");
    route.channels.push_back(channel(hop));
    route.latency += network_.links[hop.link].latency;
  }
  return route;
}

std::span<const Topology::Edge> Topology::edges(NodeIndex node) const {
  return std::span{edges_}.subspan(first_edge_[node], first_edge_[node + 1] - first_edge_[node]);
}

// Breadth first from the start; each node keeps the edge by which it was first reached.
std::optional<std::vector<Hop>> Topology::fewest_links(NodeIndex from, NodeIndex to) const {
  constexpr NodeIndex nobody = UINT32_MAX;
  struct Reached {
    NodeIndex before{nobody};
    Hop by;
  };
  std::vector<Reached> reached(network_.hosts + network_.switches);
  reached[from].before = from;
  std::vector<NodeIndex> frontier{from};
  for (std::size_t i = 0; i < frontier.size() && reached[to].before == nobody; ++i) {
    const NodeIndex node = frontier[i];
    if (node != from && node < network_.hosts) continue;
    for (const Edge& edge : edges(node)) {
      if (reached[edge.to].before != nobody) continue;
      reached[edge.to] = {node, edge.hop};
      frontier.push_back(edge.to);
    }
  }
  if (reached[to].before == nobody) return std::nullopt;
  std::vector<Hop> hops;
  for (NodeIndex node = to; node != from; node = reached[node].before) {
    hops.push_back(reached[node].by);
  }
  std::ranges::reverse(hops);
  return hops;
}

}  // namespace dbsim
