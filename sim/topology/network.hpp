#pragma once
// A network as plain data: hosts and switches joined by links.
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"

namespace dbsim {

using NodeIndex = std::uint32_t;  // hosts first: 0 .. hosts-1, then the switches
using LinkIndex = std::uint32_t;  // into Network::links

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
  std::uint8_t length{1};  // links that it counts as when routes are compared, from 1
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

/// What a host sends in all, and apart from that what it receives in all, whatever its links carry.
struct HostCap {
  NodeIndex host{};
  BytesPerSecond bandwidth;
  friend bool operator==(const HostCap&, const HostCap&) = default;
};

struct Network {
  std::size_t hosts{};
  std::size_t switches{};
  std::vector<Link> links;
  std::vector<GivenRoute> routes;    // taken as they are; between all other hosts the fewest links
  std::vector<HostCap> caps{};       // at most one for each host
  std::vector<std::string> names{};  // of all nodes, or of none
  friend bool operator==(const Network&, const Network&) = default;
};

/// The node's own name, else "host/3" or "switch/0".
[[nodiscard]] std::string name_of(const Network& network, NodeIndex node);

struct SwitchGroup {
  std::string_view name;
  std::size_t count{};
};
/// Nodes without links: hosts "host/0", "host/1" ..., then the groups, "leaf/0" and so on.
[[nodiscard]] Network nodes(std::size_t hosts, std::initializer_list<SwitchGroup> switches);

/// What a full-duplex link is made of.
struct Cable {
  BytesPerSecond bandwidth;  // in each direction
  Seconds latency{};
  friend bool operator==(const Cable&, const Cable&) = default;
};
void join(Network& network, NodeIndex from, NodeIndex to, const Cable& cable);

/// One switch with a full-duplex link to each host. `latency` is that from host to host: half on
/// each link.
[[nodiscard]] Network star(std::span<const BytesPerSecond> bandwidths, Seconds latency);
[[nodiscard]] Network star(std::size_t hosts, BytesPerSecond bandwidth, Seconds latency);

}  // namespace dbsim
