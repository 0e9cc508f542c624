#include "sim/topology/topology.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

using Ends = std::pair<NodeIndex, NodeIndex>;

Ends ends_of(const GivenRoute& route) { return {route.from, route.to}; }

void check_capacity(BytesPerSecond bandwidth) {
  check(std::isfinite(bandwidth.count()) && bandwidth.count() >= 0.0,
        "a bandwidth is a number from zero up");
}

Network checked(Network network) {
  const std::size_t nodes = network.hosts + network.switches;
  for (const Link& link : network.links) {
    check(link.from < nodes && link.to < nodes, "a link joins nodes of its network");
    check_capacity(link.bandwidth);
    check(std::isfinite(link.latency.count()) && link.latency.count() >= 0.0,
          "a latency is a number from zero up");
    check(link.length >= 1, "no link is shorter than one");
  }
  for (const HostCap& cap : network.caps) {
    check(cap.host < network.hosts, "only hosts are capped");
    check_capacity(cap.bandwidth);
  }
  check(network.names.empty() || network.names.size() == nodes, "all nodes have names, or none");
  return network;
}

// The finish of SplitMix64: each bit of the answer depends on every bit of x.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

std::uint64_t hash_of(Ends flow, std::uint64_t key) {
  const std::uint64_t ends = (std::uint64_t{flow.first} << 32U) | flow.second;
  return mixed(mixed(ends + 0x9e3779b97f4a7c15U) ^ mixed(key + 0xd1b54a32d192ed03U));
}

// One of 0 .. count-1, all as likely to within count / 2^32.
std::size_t chosen(std::uint64_t hash, std::size_t count) {
  return static_cast<std::size_t>(((hash >> 32U) * count) >> 32U);
}

std::uint32_t sum(std::uint32_t length, std::uint32_t distance) {
  return distance == unreachable ? unreachable : length + distance;
}

}  // namespace

/// How far each node is from one host, as seen by a flow that may not pass other hosts.
class Topology::Way {
 public:
  Way(const Topology& topology, NodeIndex to) : topology_{topology}, to_{to} {
    for (const Edge& edge : topology.edges(to)) {
      if (topology.is_host(edge.to)) continue;
      doors_.push_back({topology.distances_.to(topology.switch_index(edge.to)), edge.length});
    }
  }

  [[nodiscard]] std::uint32_t from(NodeIndex node) const {
    if (node == to_) return 0;
    if (topology_.is_host(node)) return unreachable;
    const std::uint32_t index = topology_.switch_index(node);
    std::uint32_t least = unreachable;
    for (const Door& door : doors_)
      least = std::min(least, sum(door.length, door.distances[index]));
    return least;
  }

  /// The edges that begin a shortest way from a node that is `left` away. Valid until the next
  /// call.
  std::span<const Edge> nearer(NodeIndex node, std::uint32_t left) {
    found_.clear();
    const std::span<const Edge> all = topology_.edges(node);
    const auto place = [&](NodeIndex to) {
      return static_cast<std::size_t>(std::ranges::lower_bound(all, to, {}, &Edge::to) -
                                      all.begin());
    };
    const auto keep = [&](std::span<const Edge> edges) {
      for (const Edge& edge : edges) {
        if (sum(edge.length, from(edge.to)) == left) found_.push_back(edge);
      }
    };
    // Of hosts, which come first, only the one at the end of the way counts.
    keep(all.subspan(place(to_), place(to_ + 1) - place(to_)));
    keep(all.subspan(place(static_cast<NodeIndex>(topology_.hosts()))));
    return found_;
  }

 private:
  struct Door {  // a link by which the last switch reaches the host
    std::span<const std::uint32_t> distances;
    std::uint32_t length;
  };
  const Topology& topology_;
  NodeIndex to_;
  std::vector<Door> doors_;
  std::vector<Edge> found_;
};

Topology::Topology(Network network) : network_{checked(std::move(network))}, distances_{network_} {
  std::ranges::stable_sort(network_.routes, {}, ends_of);
  std::ranges::stable_sort(network_.caps, {}, &HostCap::host);
  first_edge_.assign(network_.hosts + network_.switches + 1, 0);
  for (const Link& link : network_.links) {
    first_channel_.push_back(static_cast<ChannelIndex>(capacities_.size()));
    capacities_.insert(capacities_.end(), link.duplex == Duplex::full ? 2 : 1, link.bandwidth);
    ++first_edge_[link.from + 1];
    ++first_edge_[link.to + 1];
  }
  first_cap_channel_ = static_cast<ChannelIndex>(capacities_.size());
  for (const HostCap& cap : network_.caps) {
    capacities_.insert(capacities_.end(), 2, cap.bandwidth);
  }
  for (std::size_t node = 1; node < first_edge_.size(); ++node) {
    first_edge_[node] += first_edge_[node - 1];
  }
  edges_.resize(2 * network_.links.size());
  std::vector<std::size_t> next = first_edge_;
  for (LinkIndex i = 0; i < network_.links.size(); ++i) {
    const Link& link = network_.links[i];
    edges_[next[link.from]++] = {{i, Direction::forward}, link.to, link.length};
    edges_[next[link.to]++] = {{i, Direction::backward}, link.from, link.length};
  }
  for (std::size_t node = 0; node + 1 < first_edge_.size(); ++node) {
    const auto begin = edges_.begin() + static_cast<std::ptrdiff_t>(first_edge_[node]);
    const auto end = edges_.begin() + static_cast<std::ptrdiff_t>(first_edge_[node + 1]);
    std::ranges::stable_sort(begin, end, {}, &Edge::to);
  }
}

ChannelIndex Topology::channel(Hop hop) const {
  const bool second =
      hop.direction == Direction::backward && network_.links[hop.link].duplex == Duplex::full;
  return first_channel_[hop.link] + (second ? 1 : 0);
}

std::optional<Topology::CapChannels> Topology::cap_channels(NodeIndex host) const {
  const auto cap = std::ranges::lower_bound(network_.caps, host, {}, &HostCap::host);
  if (cap == network_.caps.end() || cap->host != host) return std::nullopt;
  const auto place = static_cast<ChannelIndex>(cap - network_.caps.begin());
  const ChannelIndex first = first_cap_channel_ + 2 * place;
  return CapChannels{.send = first, .receive = first + 1};
}

std::optional<Route> Topology::route(NodeIndex from, NodeIndex to, std::uint64_t key) const {
  check(from < network_.hosts && to < network_.hosts, "routes lead from host to host");
  if (from == to) return Route{};
  const auto given = std::ranges::lower_bound(network_.routes, Ends{from, to}, {}, ends_of);
  Route route;
  if (given != network_.routes.end() && ends_of(*given) == Ends{from, to}) {
    route = along(given->hops);
  } else {
    const std::vector<Hop> hops = shortest(from, to, key);
    if (hops.empty()) return std::nullopt;
    route = along(hops);
  }
  if (const auto cap = cap_channels(from)) route.channels.insert(route.channels.begin(), cap->send);
  if (const auto cap = cap_channels(to)) route.channels.push_back(cap->receive);
  return route;
}

Route Topology::along(std::span<const Hop> hops) const {
  Route route;
  route.channels.reserve(hops.size() + 2);  // and the caps of both ends
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

std::vector<Hop> Topology::shortest(NodeIndex from, NodeIndex to, std::uint64_t key) const {
  Way way{*this, to};
  std::uint32_t left = unreachable;
  for (const Edge& edge : edges(from)) left = std::min(left, sum(edge.length, way.from(edge.to)));
  if (left == unreachable) return {};
  const std::uint64_t flow = hash_of({from, to}, key);
  std::vector<Hop> hops;
  for (NodeIndex node = from; node != to;) {
    const std::span<const Edge> nearer = way.nearer(node, left);
    const Edge& edge = nearer[chosen(mixed(flow + node), nearer.size())];
    hops.push_back(edge.hop);
    node = edge.to;
    left -= edge.length;
  }
  return hops;
}

// The usual case: there is a switch that everybody reaches.
bool Topology::all_meet(std::size_t count) const {
  const auto reaches = [&](NodeIndex host, std::span<const std::uint32_t> distances) {
    return std::ranges::any_of(edges(host), [&](const Edge& edge) {
      return !is_host(edge.to) && distances[switch_index(edge.to)] != unreachable;
    });
  };
  return std::ranges::any_of(edges(0), [&](const Edge& edge) {
    if (is_host(edge.to)) return false;
    const std::span<const std::uint32_t> distances = distances_.to(switch_index(edge.to));
    for (NodeIndex host = 0; host < count; ++host) {
      if (!reaches(host, distances)) return false;
    }
    return true;
  });
}

std::optional<std::pair<NodeIndex, NodeIndex>> Topology::first_apart(std::size_t count) const {
  check(count <= network_.hosts, "the hosts in question are in the network");
  if (count == 0 || all_meet(count)) return std::nullopt;
  for (NodeIndex from = 0; from < count; ++from) {
    for (NodeIndex to = 0; to < count; ++to) {
      if (!route(from, to)) return std::pair{from, to};
    }
  }
  return std::nullopt;
}

}  // namespace dbsim
