#include "sim/model/fair_share.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

void check_capacity(BytesPerSecond capacity) {
  check(std::isfinite(capacity.count()) && capacity.count() >= 0.0,
        "a capacity is a number from zero up");
}

}  // namespace

FairShare::FairShare(std::span<const BytesPerSecond> capacities) : channels_(capacities.size()) {
  for (std::size_t i = 0; i < capacities.size(); ++i) {
    check_capacity(capacities[i]);
    channels_[i].capacity = capacities[i].count();
  }
}

FlowIndex FairShare::add(std::span<const ChannelIndex> channels, BytesPerSecond limit) {
  check(limit.count() >= 0.0, "a limit is a rate from zero up");
  if (free_flows_.empty()) {
    free_flows_.push_back(static_cast<FlowIndex>(flows_.size()));
    flows_.emplace_back();
  }
  const FlowIndex index = free_flows_.back();
  free_flows_.pop_back();
  Flow& flow = flows_[index];
  flow.limit = limit.count();
  flow.rate = 0.0;
  for (const ChannelIndex channel : channels) {
    std::vector<Member>& members = channels_[channel].flows;
    flow.path.push_back({channel, static_cast<std::uint32_t>(members.size())});
    members.push_back({index, static_cast<std::uint32_t>(flow.path.size() - 1)});
    touch(channel);
  }
  if (channels.empty()) touched_flows_.push_back(index);
  return index;
}

void FairShare::remove(FlowIndex index) {
  Flow& flow = flows_[index];
  for (const Crossing& crossing : flow.path) {
    std::vector<Member>& members = channels_[crossing.channel].flows;
    const Member last = members.back();
    members[crossing.place] = last;
    flows_[last.flow].path[last.crossing].place = crossing.place;
    members.pop_back();
    if (!members.empty()) touch(crossing.channel);
  }
  if (flow.path.empty()) std::erase(touched_flows_, index);
  flow.path.clear();
  free_flows_.push_back(index);
}

void FairShare::set_capacity(ChannelIndex channel, BytesPerSecond capacity) {
  check_capacity(capacity);
  channels_[channel].capacity = capacity.count();
  touch(channel);
}

std::span<const FlowIndex> FairShare::settle() {
  changed_.clear();
  for (const FlowIndex index : touched_flows_) {
    Flow& flow = flows_[index];
    if (flow.rate != flow.limit) changed_.push_back(index);
    flow.rate = flow.limit;
  }
  touched_flows_.clear();
  ++search_;
  for (const ChannelIndex channel : touched_channels_) {
    channels_[channel].touched = false;
    if (channels_[channel].seen == search_) continue;
    component_channels_.clear();
    component_flows_.clear();
    reach_channel(channel);
    gather();
    fill();
    for (const FlowIndex index : component_flows_) {
      Flow& flow = flows_[index];
      if (flow.rate != flow.next_rate) changed_.push_back(index);
      flow.rate = flow.next_rate;
    }
  }
  touched_channels_.clear();
  return changed_;
}

void FairShare::touch(ChannelIndex channel) {
  if (channels_[channel].touched) return;
  channels_[channel].touched = true;
  touched_channels_.push_back(channel);
}

void FairShare::reach_channel(ChannelIndex index) {
  Channel& channel = channels_[index];
  if (channel.seen == search_) return;
  channel.seen = search_;
  channel.taken = 0.0;
  channel.open = channel.flows.size();
  component_channels_.push_back(index);
}

void FairShare::reach_flow(FlowIndex index) {
  Flow& flow = flows_[index];
  if (flow.seen == search_) return;
  flow.seen = search_;
  flow.frozen = false;
  component_flows_.push_back(index);
  for (const Crossing& crossing : flow.path) reach_channel(crossing.channel);
}

// All that hangs together with the channels reached so far.
void FairShare::gather() {
  for (std::size_t i = 0; i < component_channels_.size(); ++i) {
    for (const Member& member : channels_[component_channels_[i]].flows) reach_flow(member.flow);
  }
}

// Progressive filling. All rates rise together until a channel is full or a limit is met; the flows
// concerned keep that rate, the others rise on. Order matters only between different rates, and
// there it is that of the rates: so the answer is a function of the component alone.
void FairShare::fill() {
  limited_.clear();
  for (const FlowIndex index : component_flows_) {
    if (std::isfinite(flows_[index].limit)) limited_.push_back(index);
  }
  std::ranges::sort(limited_, {}, [this](FlowIndex index) { return flows_[index].limit; });
  levels_.clear();
  for (const ChannelIndex index : component_channels_) {
    const Channel& channel = channels_[index];
    if (channel.open == 0) continue;
    levels_.push_back({channel.capacity / static_cast<double>(channel.open), index});
  }
  std::ranges::make_heap(levels_, std::greater{});
  frozen_ = 0;
  std::size_t next = 0;
  while (frozen_ < component_flows_.size()) {
    if (raise_lowest()) continue;
    while (next < limited_.size() && flows_[limited_[next]].frozen) ++next;
    const Level lowest = levels_.front();
    if (next < limited_.size() && flows_[limited_[next]].limit <= lowest.rate) {
      freeze(limited_[next], flows_[limited_[next]].limit);
    } else {
      freeze_channel(lowest);
    }
  }
}

// Brings the lowest level up to date; false when it was. Rounding must not lower it again: of flows
// whose limit is just their share, the last would get less than the first.
bool FairShare::raise_lowest() {
  const Level lowest = levels_.front();
  const Channel& channel = channels_[lowest.channel];
  double rate = lowest.rate;
  if (channel.open > 0) {
    rate = (channel.capacity - channel.taken) / static_cast<double>(channel.open);
    if (rate <= lowest.rate) return false;
  }
  std::ranges::pop_heap(levels_, std::greater{});
  levels_.pop_back();
  if (channel.open > 0) {
    levels_.push_back({rate, lowest.channel});
    std::ranges::push_heap(levels_, std::greater{});
  }
  return true;
}

void FairShare::freeze(FlowIndex index, double rate) {
  Flow& flow = flows_[index];
  flow.frozen = true;
  flow.next_rate = rate;
  ++frozen_;
  for (const Crossing& crossing : flow.path) {
    channels_[crossing.channel].taken += rate;
    --channels_[crossing.channel].open;
  }
}

void FairShare::freeze_channel(Level level) {
  for (const Member& member : channels_[level.channel].flows) {
    if (!flows_[member.flow].frozen) freeze(member.flow, level.rate);
  }
}

}  // namespace dbsim
