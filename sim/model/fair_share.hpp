#pragma once
// Max-min fair rates of flows that divide channels: nobody can have more without taking it from one
// who has no more (Bertsekas and Gallager, Data Networks, 6.5.2). Knows no time.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/model/flow_table.hpp"
#include "sim/model/standings.hpp"
#include "sim/model/turn_order.hpp"
#include "sim/topology/topology.hpp"

namespace dbsim {

inline constexpr BytesPerSecond unlimited{std::numeric_limits<double>::infinity()};

/// Every flow is in the group of the channel that bounds it, and flows of one group have one level:
/// rate over weight. A change moves levels and a few flows between groups, never every flow: a
/// level that a hundred flows share is one number. Groups depend on each other only upwards (a
/// channel's level follows from the flows that lower levels bound), so changes spread to higher
/// levels and no further. docs/model.md describes the method.
class FairShare {
 public:
  explicit FairShare(std::span<const BytesPerSecond> capacities);

  /// A flow over these channels that never takes more than `limit` and counts `weight` times. It
  /// takes nothing before it is activated. One that crosses a channel twice counts there twice; one
  /// without channels has the limit as its rate.
  [[nodiscard]] FlowIndex add(std::span<const ChannelIndex> channels, BytesPerSecond limit,
                              double weight = 1.0);
  void activate(FlowIndex flow);
  void remove(FlowIndex flow);
  void set_capacity(ChannelIndex channel, BytesPerSecond capacity);

  /// Brings all levels up to date after any number of changes.
  void settle();
  /// Nothing has changed since the changes of the last settle() were forgotten.
  [[nodiscard]] bool settled() const {
    return turns_.empty() && moved_flows_.empty() && changed_groups_.empty();
  }

  /// As of the last settle(). The group of flows that their own limit bounds, or nothing at all,
  /// comes after those of all channels and has no level.
  [[nodiscard]] GroupIndex group(FlowIndex flow) const { return table_.flow(flow).group; }
  [[nodiscard]] GroupIndex unbounded() const { return static_cast<GroupIndex>(channels_.size()); }
  [[nodiscard]] double level(GroupIndex group) const { return standings_.level[group]; }
  /// Activated and not removed.
  [[nodiscard]] bool active(FlowIndex flow) const { return table_.flow(flow).active; }
  [[nodiscard]] double weight(FlowIndex flow) const { return table_.flow(flow).weight; }
  [[nodiscard]] BytesPerSecond limit(FlowIndex flow) const {
    return BytesPerSecond{table_.flow(flow).weight * table_.flow(flow).limit};
  }
  [[nodiscard]] BytesPerSecond rate(FlowIndex flow) const {
    return BytesPerSecond{table_.flow(flow).weight * level_of(flow)};
  }

  /// What happened since forget_changes(): groups whose level is another one (each perhaps more
  /// than once), and flows that changed their group.
  [[nodiscard]] std::span<const GroupIndex> changed_groups() const { return changed_groups_; }
  [[nodiscard]] std::span<const FlowIndex> moved_flows() const { return moved_flows_; }
  void forget_changes();

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  /// A channel is live while it bounds flows or might soon; then it knows exactly what the flows
  /// that others bound take of it. All others are quiet: as long as no flow's level exceeds
  /// `quiet_below`, they cannot be full and need not be told of anything.
  struct Channel {
    double capacity{};
    double members{};          // live: weights of the members
    double ceiling{infinite};  // members whose level stays below it leave every quiet channel quiet
    double limits{infinite};   // no member's own limit is below
    double weight{};           // of all flows in the row
    double weight_room{1.0};   // a power of two, at least `weight`
    double quiet_below{};      // capacity / weight_room
    std::uint32_t coupled{};   // crossings of members over other live channels
  };
  // Flows leave by one direction of their links and come in by the other, and Topology counts the
  // two of a link one after the other. Apart, a channel's flows share it with one half of the rest.
  [[nodiscard]] ChannelIndex column(ChannelIndex channel) const {
    const auto forward = static_cast<ChannelIndex>((channels_.size() + 1) / 2);
    return channel / 2 + (channel % 2 == 0 ? 0 : forward);
  }

  class Filling;  // in fair_share_afresh.cpp

  [[nodiscard]] double level_of(FlowIndex flow) const {
    const FlowTable::Flow& f = table_.flow(flow);
    return f.group == unbounded() ? f.limit : standings_.level[f.group];
  }
  struct Bound {
    double level;
    GroupIndex group;
  };
  [[nodiscard]] Bound bound_without(FlowIndex flow, GroupIndex group) const;

  [[nodiscard]] Bound first_bound(FlowIndex flow);
  // The lowest level that a flow of the row has besides this channel's. A plain flow has two
  // channels, so that is the other one's, whichever bounds it.
  [[nodiscard]] double elsewhere(const FlowTable::Row& row, std::size_t i,
                                 ChannelIndex channel) const {
    if (row.others[i] != FlowTable::look_at_flow) return standings_.level[row.others[i]];
    return i < row.members ? bound_without(row.flows[i], channel).level : level_of(row.flows[i]);
  }
  [[nodiscard]] double weight_of(const FlowTable::Row& row, std::size_t i) const {
    return row.others[i] != FlowTable::look_at_flow ? 1.0 : table_.flow(row.flows[i]).weight;
  }
  [[nodiscard]] double water_level(double capacity, double guess) const;

  void mark(ChannelIndex channel);
  void set_level(ChannelIndex channel, double level);
  void change_taken(ChannelIndex channel, double by, double level);
  void join(FlowIndex flow, Bound bound);
  void part(FlowIndex flow);
  void move(FlowIndex flow, Bound bound);
  void no_members(ChannelIndex channel);
  void reset(ChannelIndex channel);
  void add_weight(ChannelIndex channel, double weight);
  void announce_quiet(ChannelIndex channel);
  void set_live(ChannelIndex channel, bool live);
  void wake(ChannelIndex channel);
  void calm(ChannelIndex channel);
  void add_up(ChannelIndex channel);
  void look_at(ChannelIndex channel);
  void look_at_unbounding(ChannelIndex channel);
  bool tell_others(ChannelIndex channel, double from, double to);
  bool tell_columns(const FlowTable::Row& row, const LevelChange& change);
  void respect_ceiling(ChannelIndex channel);
  void divide_afresh();
  bool take_in(ChannelIndex channel, double level);
  void let_go(ChannelIndex channel, double level);
  void fill(ChannelIndex channel, double guess);

  FlowTable table_;
  std::vector<Channel> channels_;
  Standings standings_;
  std::size_t live_{};  // channels
  TurnOrder turns_;
  std::vector<GroupIndex> changed_groups_;
  std::vector<FlowIndex> moved_flows_;
  std::vector<ChannelIndex> path_;  // of the flow in hand
  // A row in hand; kept to save allocations.
  std::vector<FlowIndex> row_;
  std::vector<double> elsewhere_;
  std::vector<double> weights_;
};

}  // namespace dbsim
