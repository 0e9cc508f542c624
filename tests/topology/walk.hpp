#pragma once
// Routes seen from outside: which links they cross, and through which nodes they lead.
#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "sim/topology/topology.hpp"

namespace dbsim::test {

/// Tells what a channel is. Needs full-duplex links.
class Channels {
 public:
  explicit Channels(const Topology& topology) : topology_{topology} {
    for (LinkIndex i = 0; i < topology.network().links.size(); ++i) {
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        hops_[topology.channel({i, direction})] = {i, direction};
      }
    }
  }

  [[nodiscard]] const Link& link(ChannelIndex channel) const {
    return topology_.network().links[hops_.at(channel).link];
  }
  [[nodiscard]] NodeIndex begin(ChannelIndex channel) const {
    return forward(channel) ? link(channel).from : link(channel).to;
  }
  [[nodiscard]] NodeIndex end(ChannelIndex channel) const {
    return forward(channel) ? link(channel).to : link(channel).from;
  }
  /// All nodes of the route, its ends too; empty when one link does not begin where the last ended.
  [[nodiscard]] std::vector<NodeIndex> nodes(const Route& route) const {
    std::vector<NodeIndex> nodes{begin(route.channels.front())};
    for (const ChannelIndex channel : route.channels) {
      if (begin(channel) != nodes.back()) return {};
      nodes.push_back(end(channel));
    }
    return nodes;
  }

 private:
  [[nodiscard]] bool forward(ChannelIndex channel) const {
    return hops_.at(channel).direction == Direction::forward;
  }
  const Topology& topology_;
  std::map<ChannelIndex, Hop> hops_;
};

/// Plain breadth-first search over all nodes, hosts but the first not passed; -1: out of reach.
inline std::vector<int> links_from(const Network& network, NodeIndex start) {
  std::vector<std::vector<NodeIndex>> next(network.hosts + network.switches);
  for (const Link& link : network.links) {
    next[link.from].push_back(link.to);
    next[link.to].push_back(link.from);
  }
  std::vector<int> distance(next.size(), -1);
  std::vector<NodeIndex> queue{start};
  distance[start] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (queue[i] != start && queue[i] < network.hosts) continue;
    for (const NodeIndex node : next[queue[i]]) {
      if (distance[node] >= 0) continue;
      distance[node] = distance[queue[i]] + 1;
      queue.push_back(node);
    }
  }
  return distance;
}

/// The longest of the shortest routes between hosts, in links.
inline std::size_t diameter(const Topology& topology) {
  std::size_t most = 0;
  for (NodeIndex from = 0; from < topology.hosts(); ++from) {
    for (NodeIndex to = 0; to < topology.hosts(); ++to) {
      most = std::max(most, topology.route(from, to).value().channels.size());
    }
  }
  return most;
}

/// Bandwidth that leaves a node, links to hosts and links to switches apart.
struct Ports {
  double to_hosts{};
  double to_switches{};
};
inline Ports ports_of(const Network& network, NodeIndex node) {
  Ports ports;
  for (const Link& link : network.links) {
    if (link.from != node && link.to != node) continue;
    const NodeIndex other = link.from == node ? link.to : link.from;
    (other < network.hosts ? ports.to_hosts : ports.to_switches) += link.bandwidth.count();
  }
  return ports;
}

}  // namespace dbsim::test
