#pragma once
// A network ready for traffic: routes, and the channels that a route crosses.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/topology/distances.hpp"
#include "sim/topology/network.hpp"

namespace dbsim {

using ChannelIndex = std::uint32_t;  // one capacity that flows divide among them

struct Route {
  std::vector<ChannelIndex> channels;  // none from a host to itself
  Seconds latency{};                   // the sum over the links
  friend bool operator==(const Route&, const Route&) = default;
};

/// A network ready to be asked for routes. Never changes; what a channel carries at the moment is
/// no part of it. A plain value, and several threads may ask one at once.
class Topology {
 public:
  explicit Topology(Network network);

  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] std::size_t hosts() const { return network_.hosts; }
  /// The bandwidth of every channel, by its index.
  [[nodiscard]] std::span<const BytesPerSecond> capacities() const { return capacities_; }
  [[nodiscard]] ChannelIndex channel(Hop hop) const;

  /// What caps a host, where something does.
  struct CapChannels {
    ChannelIndex send{};
    ChannelIndex receive{};
  };
  [[nodiscard]] std::optional<CapChannels> cap_channels(NodeIndex host) const;

  /// The given route, else one with the fewest links. Where several links begin shortest ways, each
  /// is as likely as any other; a hash of (from, to, key) and the node chooses, so one flow always
  /// goes the same way. The order in which links were named decides nothing, except between links
  /// that join the same two nodes. Hosts do not forward. Where hosts are capped, the route crosses
  /// what the first may send and what the last may receive. Empty when no path exists.
  [[nodiscard]] std::optional<Route> route(NodeIndex from, NodeIndex to,
                                           std::uint64_t key = 0) const;
  /// The route along these links, wherever they lie, with no regard to caps.
  [[nodiscard]] Route along(std::span<const Hop> hops) const;

  /// Two of the first `count` hosts that no path joins; empty when all reach each other.
  [[nodiscard]] std::optional<std::pair<NodeIndex, NodeIndex>> first_apart(std::size_t count) const;

 private:
  struct Edge {  // one direction of a link, seen from the node that it leaves
    Hop hop;
    NodeIndex to{};
    std::uint32_t length{};
  };
  class Way;

  [[nodiscard]] bool is_host(NodeIndex node) const { return node < network_.hosts; }
  [[nodiscard]] std::uint32_t switch_index(NodeIndex node) const {
    return node - static_cast<NodeIndex>(network_.hosts);
  }
  [[nodiscard]] std::span<const Edge> edges(NodeIndex node) const;
  [[nodiscard]] bool all_meet(std::size_t count) const;
  [[nodiscard]] std::vector<Hop> shortest(NodeIndex from, NodeIndex to, std::uint64_t key) const;

  Network network_;                          // routes sorted by (from, to), caps by host
  std::vector<ChannelIndex> first_channel_;  // by link
  ChannelIndex first_cap_channel_{};         // for each cap: send, receive
  std::vector<BytesPerSecond> capacities_;
  std::vector<std::size_t> first_edge_;  // by node; its edges end where the next node's begin
  std::vector<Edge> edges_;              // of each node, by the node they lead to
  SwitchDistances distances_;
};

}  // namespace dbsim
