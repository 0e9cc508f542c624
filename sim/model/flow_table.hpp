#pragma once
// Who crosses which channel: the bookkeeping under max-min fair sharing.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/topology/topology.hpp"

namespace dbsim {

using FlowIndex = std::uint32_t;   // reused once its flow has been removed
using GroupIndex = std::uint32_t;  // the channel that bounds its flows; after all channels: none

/// Flows with their paths, and for each channel the row of flows that cross it. In a row, the
/// members (flows that the channel bounds) stand before all others. Nothing is allocated in a
/// steady state.
class FlowTable {
 public:
  /// The flows in a channel's row. Where one is plain (weight 1, no limit) and crosses two
  /// channels, `others` has the second one, so that a row can be read without looking at the flows.
  /// Where all are plain, no two have the same other channel, and the row is long enough to be
  /// worth it, `columns` and `member_columns` have a bit for the other channel of every flow and
  /// member.
  struct Row {
    std::span<const FlowIndex> flows;
    std::span<const ChannelIndex> others;
    std::size_t members;  // they come first
    std::span<const std::uint64_t> columns;
    std::span<const std::uint64_t> member_columns;
    [[nodiscard]] std::size_t size() const { return flows.size(); }
  };
  static constexpr ChannelIndex look_at_flow = UINT32_MAX;

  struct Flow {
    std::uint32_t first_crossing{};
    std::uint32_t crossings{};
    double weight{};
    double limit{};  // of its rate over its weight
    GroupIndex group{};
    bool active{};  // in the rows of its channels
  };
  struct Crossing {
    ChannelIndex channel;
    std::uint32_t place;  // in the channel's row, once the flow is in it
  };

  explicit FlowTable(std::size_t channels) : rows_(channels) {}

  [[nodiscard]] FlowIndex add(std::span<const ChannelIndex> channels, double weight, double limit);
  void remove(FlowIndex flow);

  /// Into the rows of its channels, as nobody's member; and out of them again.
  void enter(FlowIndex flow);
  void leave(FlowIndex flow);
  /// Wherever the flow stands in the row of `channel`.
  void make_member(FlowIndex flow, ChannelIndex channel);
  void end_membership(FlowIndex flow, ChannelIndex channel);

  [[nodiscard]] std::size_t size() const { return flows_.size(); }  // active or not
  [[nodiscard]] const Flow& flow(FlowIndex flow) const { return flows_[flow]; }
  void set_group(FlowIndex flow, GroupIndex group) { flows_[flow].group = group; }
  [[nodiscard]] std::span<const Crossing> crossings(FlowIndex flow) const {
    return std::span{crossings_}.subspan(flows_[flow].first_crossing, flows_[flow].crossings);
  }
  /// The flow at a place of the channel's row is about to be moved: memory may take its time.
  void fetch(ChannelIndex channel, std::size_t place) const {
    const RowStore& row = rows_[channel];
    if (row.columns.empty()) return;
    __builtin_prefetch(flows_.data() + row.flows[place]);
    __builtin_prefetch(crossings_.data() + row.crossings[place]);
  }
  [[nodiscard]] Row row(ChannelIndex channel) const {
    const RowStore& row = rows_[channel];
    if (row.columns.empty() || row.odd > 0) return {row.flows, row.others, row.members, {}, {}};
    return {row.flows, row.others, row.members, row.columns, row.member_columns};
  }

 private:
  struct RowStore {
    std::vector<FlowIndex> flows;
    std::vector<ChannelIndex> others;
    std::vector<std::uint32_t> crossings;  // with columns: so that no flow need be asked
    std::vector<std::uint64_t> columns;    // empty until it is worth it
    std::vector<std::uint64_t> member_columns;
    std::uint32_t members{};
    std::uint32_t odd{};  // flows to look at
  };
  void add_columns(RowStore& row);
  [[nodiscard]] std::uint32_t crossing_at(const RowStore& row, std::uint32_t place) const;
  static bool set_bit(std::vector<std::uint64_t>& bits, ChannelIndex column);
  static void clear_bit(std::vector<std::uint64_t>& bits, ChannelIndex column);
  void exchange(RowStore& row, std::uint32_t a, std::uint32_t b);

  std::vector<RowStore> rows_;
  std::vector<Flow> flows_;
  std::vector<FlowIndex> free_flows_;
  std::vector<Crossing> crossings_;
  std::vector<std::vector<std::uint32_t>> free_crossings_;  // by their number
};

}  // namespace dbsim
