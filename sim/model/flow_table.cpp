#include "sim/model/flow_table.hpp"

#include <cmath>
#include <utility>

namespace dbsim {

FlowIndex FlowTable::add(std::span<const ChannelIndex> channels, double weight, double limit) {
  if (free_flows_.empty()) {
    free_flows_.push_back(static_cast<FlowIndex>(flows_.size()));
    flows_.emplace_back();
  }
  const FlowIndex index = free_flows_.back();
  free_flows_.pop_back();
  if (channels.size() >= free_crossings_.size()) free_crossings_.resize(channels.size() + 1);
  std::vector<std::uint32_t>& free = free_crossings_[channels.size()];
  if (free.empty()) {
    free.push_back(static_cast<std::uint32_t>(crossings_.size()));
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
    row.flows.push_back(index);
    row.others.push_back(plain ? path[1 - i].channel : look_at_flow);
  }
}

void FlowTable::leave(FlowIndex index) {
  Flow& flow = flows_[index];
  flow.active = false;
  for (std::uint32_t i = 0; i < flow.crossings; ++i) {
    const Crossing& crossing = crossings_[flow.first_crossing + i];
    RowStore& row = rows_[crossing.channel];
    if (crossing.place < row.members) exchange(row, crossing.place, --row.members);
    exchange(row, crossing.place, static_cast<std::uint32_t>(row.flows.size() - 1));
    row.flows.pop_back();
    row.others.pop_back();
  }
}

void FlowTable::make_member(FlowIndex index, ChannelIndex channel) {
  RowStore& row = rows_[channel];
  for (const Crossing& crossing : crossings(index)) {
    if (crossing.channel != channel || crossing.place < row.members) continue;
    exchange(row, crossing.place, row.members++);
  }
}

void FlowTable::end_membership(FlowIndex index, ChannelIndex channel) {
  RowStore& row = rows_[channel];
  for (const Crossing& crossing : crossings(index)) {
    if (crossing.channel != channel || crossing.place >= row.members) continue;
    exchange(row, crossing.place, --row.members);
  }
}

void FlowTable::exchange(RowStore& row, std::uint32_t a, std::uint32_t b) {
  if (a == b) return;
  Crossing* const crossing_a = crossing_at(row, a);
  Crossing* const crossing_b = crossing_at(row, b);
  crossing_a->place = b;
  crossing_b->place = a;
  std::swap(row.flows[a], row.flows[b]);
  std::swap(row.others[a], row.others[b]);
}

FlowTable::Crossing* FlowTable::crossing_at(const RowStore& row, std::uint32_t place) {
  const Flow& flow = flows_[row.flows[place]];
  Crossing* crossing = crossings_.data() + flow.first_crossing;
  while (crossing->place != place || &rows_[crossing->channel] != &row) ++crossing;
  return crossing;
}

}  // namespace dbsim
