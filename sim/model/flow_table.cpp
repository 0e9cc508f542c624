#include "sim/model/flow_table.hpp"

#include <cmath>
#include <utility>

#include "sim/base/room.hpp"

namespace dbsim {

namespace {

// Rows of fewer flows, or with fewer than one in so many channels, are told one by one.
constexpr std::size_t least_row = 32;
constexpr std::size_t thinnest_row = 16;

}  // namespace

FlowIndex FlowTable::add(std::span<const ChannelIndex> channels, double weight, double limit) {
  if (free_flows_.empty()) {
    free_flows_.push_back(static_cast<FlowIndex>(flows_.size()));
    make_room(flows_);
    flows_.emplace_back();
  }
  const FlowIndex index = free_flows_.back();
  free_flows_.pop_back();
  if (channels.size() >= free_crossings_.size()) free_crossings_.resize(channels.size() + 1);
  std::vector<std::uint32_t>& free = free_crossings_[channels.size()];
  if (free.empty()) {
    free.push_back(static_cast<std::uint32_t>(crossings_.size()));
    make_room(crossings_, channels.size());
    crossings_.resize(crossings_.size() + channels.size());
  }
  const std::uint32_t first = free.back();
  free.pop_back();
  for (std::size_t i = 0; i < channels.size(); ++i) crossings_[first + i] = {channels[i], 0};
  flows_[index] = {.first_crossing = first,
                   .crossings = static_cast<std::uint32_t>(channels.size()),
                   .weight = weight,
                   .limit = limit,
                   .group = static_cast<GroupIndex>(rows_.size()),
                   .active = false};
  return index;
}

void FlowTable::remove(FlowIndex index) {
  free_crossings_[flows_[index].crossings].push_back(flows_[index].first_crossing);
  free_flows_.push_back(index);
}

void FlowTable::enter(FlowIndex index) {
  Flow& flow = flows_[index];
  flow.active = true;
  Crossing* const path = crossings_.data() + flow.first_crossing;
  const bool plain = flow.crossings == 2 && flow.weight == 1.0 && std::isinf(flow.limit) &&
                     path[0].channel != path[1].channel;
  for (std::uint32_t i = 0; i < flow.crossings; ++i) {
    RowStore& row = rows_[path[i].channel];
    path[i].place = static_cast<std::uint32_t>(row.flows.size());
    make_room(row.flows);
    row.flows.push_back(index);
    if (!row.columns.empty()) {
      make_room(row.crossings);
      row.crossings.push_back(flow.first_crossing + i);
    }
    ChannelIndex other = plain ? path[1 - i].channel : look_at_flow;
    if (plain && !row.columns.empty() && !set_bit(row.columns, other)) other = look_at_flow;
    if (other == look_at_flow) ++row.odd;
    make_room(row.others);
    row.others.push_back(other);
    const std::size_t size = row.flows.size();
    if (row.columns.empty() && size >= least_row && size * thinnest_row >= rows_.size()) {
      add_columns(row);
    }
  }
}

void FlowTable::leave(FlowIndex index) {
  Flow& flow = flows_[index];
  flow.active = false;
  for (std::uint32_t i = 0; i < flow.crossings; ++i) {
    const Crossing& crossing = crossings_[flow.first_crossing + i];
    RowStore& row = rows_[crossing.channel];
    const ChannelIndex other = row.others[crossing.place];
    if (crossing.place < row.members) {
      if (other != look_at_flow) clear_bit(row.member_columns, other);
      exchange(row, crossing.place, --row.members);
    }
    if (other == look_at_flow) {
      --row.odd;
    } else {
      clear_bit(row.columns, other);
    }
    exchange(row, crossing.place, static_cast<std::uint32_t>(row.flows.size() - 1));
    row.flows.pop_back();
    if (!row.columns.empty()) row.crossings.pop_back();
    row.others.pop_back();
  }
}

void FlowTable::make_member(FlowIndex index, ChannelIndex channel) {
  RowStore& row = rows_[channel];
  for (const Crossing& crossing : crossings(index)) {
    if (crossing.channel != channel || crossing.place < row.members) continue;
    const ChannelIndex other = row.others[crossing.place];
    if (other != look_at_flow && !row.columns.empty()) (void)set_bit(row.member_columns, other);
    exchange(row, crossing.place, row.members++);
  }
}

void FlowTable::end_membership(FlowIndex index, ChannelIndex channel) {
  RowStore& row = rows_[channel];
  for (const Crossing& crossing : crossings(index)) {
    if (crossing.channel != channel || crossing.place >= row.members) continue;
    const ChannelIndex other = row.others[crossing.place];
    if (other != look_at_flow) clear_bit(row.member_columns, other);
    exchange(row, crossing.place, --row.members);
  }
}

// Of two flows with the same other channel one has to be looked at.
void FlowTable::add_columns(RowStore& row) {
  row.crossings.reserve(row.flows.size());
  for (std::uint32_t i = 0; i < row.flows.size(); ++i) {
    row.crossings.push_back(crossing_at(row, i));
  }
  row.columns.resize(rows_.size() / 64 + 1);
  row.member_columns.resize(row.columns.size());
  for (std::size_t i = 0; i < row.flows.size(); ++i) {
    ChannelIndex& other = row.others[i];
    if (other == look_at_flow) continue;
    if (!set_bit(row.columns, other)) {
      other = look_at_flow;
      ++row.odd;
    } else if (i < row.members) {
      (void)set_bit(row.member_columns, other);
    }
  }
}

// Whether it was not set.
bool FlowTable::set_bit(std::vector<std::uint64_t>& bits, ChannelIndex column) {
  const std::uint64_t bit = std::uint64_t{1} << column % 64;
  const bool fresh = (bits[column / 64] & bit) == 0;
  bits[column / 64] |= bit;
  return fresh;
}

void FlowTable::clear_bit(std::vector<std::uint64_t>& bits, ChannelIndex column) {
  if (!bits.empty()) bits[column / 64] &= ~(std::uint64_t{1} << column % 64);
}

void FlowTable::exchange(RowStore& row, std::uint32_t a, std::uint32_t b) {
  if (a == b) return;
  const std::uint32_t crossing_a = crossing_at(row, a);
  const std::uint32_t crossing_b = crossing_at(row, b);
  crossings_[crossing_a].place = b;
  crossings_[crossing_b].place = a;
  if (!row.columns.empty()) std::swap(row.crossings[a], row.crossings[b]);
  std::swap(row.flows[a], row.flows[b]);
  std::swap(row.others[a], row.others[b]);
}

std::uint32_t FlowTable::crossing_at(const RowStore& row, std::uint32_t place) const {
  if (!row.columns.empty()) return row.crossings[place];
  std::uint32_t crossing = flows_[row.flows[place]].first_crossing;
  while (crossings_[crossing].place != place || &rows_[crossings_[crossing].channel] != &row) {
    ++crossing;
  }
  return crossing;
}

}  // namespace dbsim
