#include "sim/model/fair_share.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Levels that differ by less are the same: sums in another order must not set off further changes.
constexpr double same = 1e-12;
// Sums are added up anew after so many changes, long before their rounding is as large as that.
constexpr std::uint32_t most_updates = 4'096;

void check_capacity(BytesPerSecond capacity) {
  check(std::isfinite(capacity.count()) && capacity.count() >= 0.0,
        "a capacity is a number from zero up");
}

}  // namespace

FairShare::FairShare(std::span<const BytesPerSecond> capacities)
    : table_{capacities.size()},
      channels_(capacities.size()),
      levels_(capacities.size() + 1, infinite) {
  for (std::size_t i = 0; i < capacities.size(); ++i) {
    check_capacity(capacities[i]);
    channels_[i].capacity = capacities[i].count();
    reset(static_cast<ChannelIndex>(i));
  }
}

FlowIndex FairShare::add(std::span<const ChannelIndex> channels, BytesPerSecond limit,
                         double weight) {
  check(limit.count() >= 0.0, "a limit is a rate from zero up");
  check(std::isfinite(weight) && weight > 0.0, "a weight is a positive number");
  return table_.add(channels, weight, limit.count() / weight);
}

void FairShare::activate(FlowIndex flow) {
  Bound bound = bound_without(flow, unbounded());
  if (bound.level == infinite && table_.flow(flow).crossings > 0) bound = first_bound(flow);
  const double weight = table_.flow(flow).weight;
  for (const FlowTable::Crossing& crossing : table_.crossings(flow)) {
    add_weight(crossing.channel, weight);
  }
  table_.enter(flow);
  join(flow, bound);
}

void FairShare::remove(FlowIndex flow) {
  if (table_.flow(flow).active) {
    part(flow);
    table_.leave(flow);
    for (const FlowTable::Crossing& crossing : table_.crossings(flow)) {
      Channel& channel = channels_[crossing.channel];
      channel.weight -= table_.flow(flow).weight;
      if (table_.row(crossing.channel).empty()) {
        reset(crossing.channel);
      } else if (channel.weight < channel.weight_room / 4.0) {
        channel.weight_room /= 2.0;
        channel.quiet_below = channel.capacity / channel.weight_room;
      }
    }
  }
  table_.remove(flow);
}

void FairShare::set_capacity(ChannelIndex index, BytesPerSecond capacity) {
  check_capacity(capacity);
  Channel& channel = channels_[index];
  channel.capacity = capacity.count();
  channel.quiet_below = channel.capacity / channel.weight_room;
  if (channel.live) {
    mark(index);
  } else {
    announce_quiet(index);
  }
}

void FairShare::settle() {
  std::size_t looks = 0;
  while (!dirty_.empty()) {
    std::ranges::pop_heap(dirty_, std::greater{});
    const ChannelIndex channel = dirty_.back().channel;
    dirty_.pop_back();
    channels_[channel].dirty = false;
    look_at(channel);
    check(++looks <= 1'000 * (channels_.size() + 1), "shares settle");
  }
}

void FairShare::forget_changes() {
  changed_groups_.clear();
  moved_flows_.clear();
}

// The lowest level among its other channels, or its own limit.
FairShare::Bound FairShare::bound_without(FlowIndex flow, GroupIndex group) const {
  Bound bound{table_.flow(flow).limit, unbounded()};
  for (const FlowTable::Crossing& crossing : table_.crossings(flow)) {
    const double level = levels_[crossing.channel];
    if (crossing.channel != group && level < bound.level) bound = {level, crossing.channel};
  }
  return bound;
}

// Where nothing bounds a new flow yet, the channel with the smallest share does, for a start.
FairShare::Bound FairShare::first_bound(FlowIndex flow) {
  const double weight = table_.flow(flow).weight;
  Bound bound{infinite, unbounded()};
  for (const FlowTable::Crossing& crossing : table_.crossings(flow)) {
    const Channel& channel = channels_[crossing.channel];
    const double share = channel.capacity / (channel.weight + weight);
    if (share < bound.level) bound = {share, crossing.channel};
  }
  Channel& channel = channels_[bound.group];
  if (!channel.live) wake(bound.group);
  bound.level = std::max(bound.level, (channel.capacity - channel.taken) / weight);
  set_level(bound.group, bound.level);
  return bound;
}

void FairShare::mark(ChannelIndex channel) {
  if (channels_[channel].dirty) return;
  channels_[channel].dirty = true;
  dirty_.push_back({levels_[channel], channel});
  std::ranges::push_heap(dirty_, std::greater{});
}

void FairShare::set_level(ChannelIndex channel, double level) {
  levels_[channel] = level;
  changed_groups_.push_back(channel);
}

void FairShare::change_taken(ChannelIndex index, double by, double level) {
  Channel& channel = channels_[index];
  channel.taken += by;
  channel.highest = std::max(channel.highest, level);
  ++channel.updates;
  mark(index);
}

void FairShare::join(FlowIndex flow, Bound bound) {
  const double weight = table_.flow(flow).weight;
  const bool bounded = bound.group != unbounded();
  table_.set_group(flow, bound.group);
  moved_flows_.push_back(flow);
  if (bounded) {
    table_.make_member(flow, bound.group);
    channels_[bound.group].limits =
        std::min(channels_[bound.group].limits, table_.flow(flow).limit);
    mark(bound.group);
  }
  for (const FlowTable::Crossing& crossing : table_.crossings(flow)) {
    Channel& channel = channels_[crossing.channel];
    if (crossing.channel == bound.group) {
      channel.members += weight;
    } else if (channel.live) {
      change_taken(crossing.channel, weight * bound.level, bound.level);
      if (bounded) ++channels_[bound.group].coupled;
    } else if (bounded) {
      Channel& group = channels_[bound.group];
      group.ceiling = std::min(group.ceiling, channel.quiet_below);
    }
  }
  // Only now: waking a channel counts this flow as well.
  for (const FlowTable::Crossing& crossing : table_.crossings(flow)) {
    const Channel& channel = channels_[crossing.channel];
    if (!channel.live && bound.level > channel.quiet_below) wake(crossing.channel);
  }
}

void FairShare::part(FlowIndex flow) {
  const double weight = table_.flow(flow).weight;
  const double level = level_of(flow);
  const GroupIndex group = table_.flow(flow).group;
  const bool bounded = group != unbounded();
  if (bounded) {
    table_.end_membership(flow, group);
    mark(group);
  }
  for (const FlowTable::Crossing& crossing : table_.crossings(flow)) {
    if (crossing.channel == group) {
      channels_[group].members -= weight;
    } else if (channels_[crossing.channel].live) {
      change_taken(crossing.channel, -weight * level, 0.0);
      if (bounded) --channels_[group].coupled;
    }
  }
  if (bounded && table_.members(group).empty()) no_members(group);
}

void FairShare::no_members(ChannelIndex index) {
  Channel& channel = channels_[index];
  channel.members = 0.0;
  channel.ceiling = infinite;
  channel.limits = infinite;
}

void FairShare::reset(ChannelIndex index) {
  Channel& channel = channels_[index];
  const bool dirty = channel.dirty;
  channel = Channel{.capacity = channel.capacity};
  channel.dirty = dirty;
  channel.quiet_below = channel.capacity;
  if (levels_[index] != infinite) set_level(index, infinite);
}

void FairShare::add_weight(ChannelIndex index, double weight) {
  Channel& channel = channels_[index];
  channel.weight += weight;
  if (channel.weight <= channel.weight_room) return;
  while (channel.weight_room < channel.weight) channel.weight_room *= 2.0;
  channel.quiet_below = channel.capacity / channel.weight_room;
  if (!channel.live) announce_quiet(index);
}

// The flows of a quiet channel have to know up to where it stays so.
void FairShare::announce_quiet(ChannelIndex index) {
  const double quiet_below = channels_[index].quiet_below;
  for (const FlowTable::Entry& entry : table_.row(index)) {
    if (level_of(entry.flow) > quiet_below) {
      wake(index);
      return;
    }
    const GroupIndex group = table_.flow(entry.flow).group;
    if (group == unbounded()) continue;
    channels_[group].ceiling = std::min(channels_[group].ceiling, quiet_below);
  }
}

void FairShare::wake(ChannelIndex index) {
  channels_[index].live = true;
  for (const FlowTable::Entry& entry : table_.row(index)) {
    const GroupIndex group = table_.flow(entry.flow).group;
    if (group != unbounded()) ++channels_[group].coupled;
  }
  add_up(index);
  mark(index);
}

void FairShare::calm(ChannelIndex index) {
  channels_[index].live = false;
  for (const FlowTable::Entry& entry : table_.row(index)) {
    const GroupIndex group = table_.flow(entry.flow).group;
    if (group != unbounded()) --channels_[group].coupled;
  }
  announce_quiet(index);
}

void FairShare::add_up(ChannelIndex index) {
  Channel& channel = channels_[index];
  channel.taken = 0.0;
  channel.highest = 0.0;
  channel.updates = 0;
  for (const FlowTable::Entry& entry : table_.row(index).subspan(table_.members(index).size())) {
    const double level = level_of(entry.flow);
    channel.taken += table_.flow(entry.flow).weight * level;
    channel.highest = std::max(channel.highest, level);
  }
}

void FairShare::look_at(ChannelIndex index) {
  Channel& channel = channels_[index];
  if (!channel.live) return;
  if (channel.updates > most_updates) add_up(index);
  if (table_.members(index).empty()) {
    look_at_unbounding(index);
    return;
  }
  const double old = levels_[index];
  const double level = (channel.capacity - channel.taken) / channel.members;
  constexpr double clearly = 4.0 * same;
  if (level < channel.highest * (1.0 - clearly)) {
    fill(index);
  } else if (level > old * (1.0 + same)) {
    const bool free = channel.coupled == 0 && level <= channel.limits;
    if (free || !bounded_elsewhere(index, level * (1.0 - clearly))) {
      accept(index, level);
    } else {
      fill(index);
    }
  } else if (level < old * (1.0 - same)) {
    accept(index, level);
  }
}

void FairShare::look_at_unbounding(ChannelIndex index) {
  Channel& channel = channels_[index];
  if (channel.taken > channel.capacity) add_up(index);
  if (channel.taken > channel.capacity * (1.0 + same)) {
    fill(index);
    return;
  }
  if (levels_[index] != infinite) set_level(index, infinite);
  // Seldom enough to cost nothing: what the flows gained or lost has been told one by one.
  if (channel.updates > table_.row(index).size()) add_up(index);
  if (channel.highest <= channel.quiet_below / 2.0) calm(index);
}

bool FairShare::bounded_elsewhere(ChannelIndex index, double level) const {
  return std::ranges::any_of(table_.members(index), [&](const FlowTable::Entry& entry) {
    if (entry.other != FlowTable::look_at_flow) return levels_[entry.other] < level;
    return bound_without(entry.flow, index).level < level;
  });
}

void FairShare::accept(ChannelIndex index, double level) {
  const double old = levels_[index];
  set_level(index, level);
  if (channels_[index].coupled > 0) tell_others(index, old, level);
  if (level > channels_[index].ceiling) respect_ceiling(index);
}

void FairShare::tell_others(ChannelIndex index, double from, double to) {
  for (const FlowTable::Entry& entry : table_.members(index)) {
    if (entry.other != FlowTable::look_at_flow) {
      if (channels_[entry.other].live) change_taken(entry.other, to - from, to);
      continue;
    }
    const double by = table_.flow(entry.flow).weight * (to - from);
    for (const FlowTable::Crossing& crossing : table_.crossings(entry.flow)) {
      if (crossing.channel == index || !channels_[crossing.channel].live) continue;
      change_taken(crossing.channel, by, to);
    }
  }
}

void FairShare::respect_ceiling(ChannelIndex index) {
  channels_[index].ceiling = infinite;
  for (const FlowTable::Entry& entry : table_.members(index)) {
    for (const FlowTable::Crossing& crossing : table_.crossings(entry.flow)) {
      const Channel& channel = channels_[crossing.channel];
      if (channel.live) continue;
      if (levels_[index] > channel.quiet_below) {
        wake(crossing.channel);
      } else {
        channels_[index].ceiling = std::min(channels_[index].ceiling, channel.quiet_below);
      }
    }
  }
}

// Raises the level until the channel is full, given what bounds each flow elsewhere, and takes in
// and gives away members accordingly.
void FairShare::fill(ChannelIndex index) {
  const double old = levels_[index];
  row_.clear();
  elsewhere_.clear();
  weights_.clear();
  for (const FlowTable::Entry& entry : table_.row(index)) {
    const bool member = row_.size() < table_.members(index).size();
    row_.push_back(entry.flow);
    elsewhere_.push_back(member ? bound_without(entry.flow, index).level : level_of(entry.flow));
    weights_.push_back(table_.flow(entry.flow).weight);
  }
  const double level = water_level(channels_[index].capacity, old);
  for (std::size_t i = 0; i < row_.size(); ++i) {
    if (table_.flow(row_[i]).group != index || elsewhere_[i] >= level * (1.0 - same)) continue;
    part(row_[i]);
    join(row_[i], bound_without(row_[i], index));
  }
  set_level(index, level);
  if (channels_[index].coupled > 0) tell_others(index, old, level);
  for (std::size_t i = 0; i < row_.size(); ++i) {
    if (table_.flow(row_[i]).group == index || elsewhere_[i] <= level * (1.0 + same)) continue;
    part(row_[i]);
    join(row_[i], {level, index});
  }
  add_up(index);
  if (level > channels_[index].ceiling && level != infinite) respect_ceiling(index);
}

// Newton's method on what the flows take at a level, which is concave: from the second step on it
// comes from below and never turns back.
double FairShare::water_level(double capacity, double guess) const {
  double weight = 0.0;
  double wanted = 0.0;
  for (std::size_t i = 0; i < row_.size(); ++i) {
    weight += weights_[i];
    wanted += weights_[i] * elsewhere_[i];
  }
  if (wanted <= capacity * (1.0 + same)) return infinite;
  double level = guess;
  constexpr int most_steps = 200;
  for (int step = 0; step < most_steps; ++step) {
    double taken = 0.0;
    double open = 0.0;
    for (std::size_t i = 0; i < row_.size(); ++i) {
      const bool below = elsewhere_[i] <= level;
      taken += below ? weights_[i] * elsewhere_[i] : 0.0;
      open += below ? 0.0 : weights_[i];
    }
    const double next = open > 0.0 ? (capacity - taken) / open : capacity / weight;
    if (step > 0 && next <= level) return level;
    level = next;
  }
  return level;
}

}  // namespace dbsim
