#pragma once
// The network as a graph: hosts and switches joined by links, and the channels that a route
// crosses.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/units.hpp"

namespace dbsim {

using NodeIndex = std::uint32_t;     // hosts first: 0 .. hosts-1, then the switches
using LinkIndex = std::uint32_t;     // into Network::links
using ChannelIndex = std::uint32_t;  // one capacity that flows divide among them

enum class Duplex : std::uint8_t {
  full,    // each direction has the whole bandwidth: two channels
  shared,  // both directions divide it: one channel
};

struct Link {
  NodeIndex from{};
  NodeIndex to{};
  BytesPerSecond bandwidth;
  Seconds latency{};
  Duplex duplex{Duplex::full};
  friend bool operator==(const Link&, const Link&) = default;
};

enum class Direction : std::uint8_t { forward, backward };  // from `from` to `to`, or the other way

struct Hop {
  LinkIndex link{};
  Direction direction{};
  friend bool operator==(const Hop&, const Hop&) = default;
};

struct GivenRoute {
  NodeIndex from{};
  NodeIndex to{};
  std::vector<Hop> hops;
  friend bool operator==(const GivenRoute&, const GivenRoute&) = default;
};

struct Network {
  std::size_t hosts{};
  std::size_t switches{};
  std::vector<Link> links;
  std::vector<GivenRoute> routes;  // taken as they are; between all other hosts the fewest links
  friend bool operator==(const Network&, const Network&) = default;
};

/// One switch with a full-duplex link to each host. `latency` is that from host to host: half on
/// each link.
[[nodiscard]] Network star(std::span<const BytesPerSecond> bandwidths, Seconds latency);
[[nodiscard]] Network star(std::size_t hosts, BytesPerSecond bandwidth, Seconds latency);

struct Route {
  std::vector<ChannelIndex> channels;  // none from a host to itself
  Seconds latency{};                   // the sum over the links
  friend bool operator==(const Route&, const Route&) = default;
};

/// A network ready to be asked for routes. Never changes; what a channel carries at the moment is
/// no part of it.
class Topology {
 public:
  explicit Topology(Network network);

  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] std::size_t hosts() const { return network_.hosts; }
  /// The bandwidth of every channel, by its index.
  [[nodiscard]] std::span<const BytesPerSecond> capacities() const { return capacities_; }
  [[nodiscard]] ChannelIndex channel(Hop hop) const;

  /// The given route, else one with the fewest links; of several, the one whose links were named
  /// first. Hosts do not forward. Empty when no path exists.
  [[nodiscard]] std::optional<Route> route(NodeIndex from, NodeIndex to) const;
  /// The route along these links, wherever they lie.
  [[nodiscard]] Route along(std::span<const Hop> hops) const;

 private:
  struct Edge {  // one direction of a link, seen from the node that it leaves
    Hop hop;
    NodeIndex to{};
  };
  [[nodiscard]] std::span<const Edge> edges(NodeIndex node) const;
  [[nodiscard]] std::optional<std::vector<Hop>> fewest_links(NodeIndex from, NodeIndex to) const;

  Network network_;                          // routes sorted by (from, to)
  std::vector<ChannelIndex> first_channel_;  // by link
  std::vector<BytesPerSecond> capacities_;
  std::vector<std::size_t> first_edge_;  // by node; its edges end where the next node's begin
  std::vector<Edge> edges_;
};

}  // namespace dbsim
