#include "sim/model/fair_share.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

void check_capacity(BytesPerSecond capacity) {
  check(std::isfinite(capacity.count()) && capacity.count() >= 0.0,
        "a capacity is a number from zero up");
}

}  // namespace

FairShare::FairShare(std::span<const BytesPerSecond> capacities)
    : table_{capacities.size()},
      channels_(capacities.size()),
      standings_(capacities.size() + 1),
      turns_{capacities.size()} {
  for (std::size_t i = 0; i < capacities.size(); ++i) {
    check_capacity(capacities[i]);
    const ChannelIndex place = column(static_cast<ChannelIndex>(i));
    channels_[place].capacity = capacities[i].count();
    reset(place);
  }
}

FlowIndex FairShare::add(std::span<const ChannelIndex> channels, BytesPerSecond limit,
                         double weight) {
  check(limit.count() >= 0.0, "a limit is a rate from zero up");
  check(std::isfinite(weight) && weight > 0.0, "a weight is a positive number");
  path_.clear();
  for (const ChannelIndex channel : channels) path_.push_back(column(channel));
  return table_.add(path_, weight, limit.count() / weight);
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
      if (table_.row(crossing.channel).size() == 0) {
        reset(crossing.channel);
      } else if (channel.weight < channel.weight_room / 4.0) {
        channel.weight_room /= 2.0;
        channel.quiet_below = channel.capacity / channel.weight_room;
      }
    }
  }
  table_.remove(flow);
}

void FairShare::set_capacity(ChannelIndex of, BytesPerSecond capacity) {
  check_capacity(capacity);
  const ChannelIndex index = column(of);
  Channel& channel = channels_[index];
  channel.capacity = capacity.count();
  channel.quiet_below = channel.capacity / channel.weight_room;
  if (standings_.live(index)) {
    mark(index);
  } else {
    announce_quiet(index);
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
    const double level = standings_.level[crossing.channel];
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
  if (!standings_.live(bound.group)) wake(bound.group);
  const double free = channels_[bound.group].capacity - standings_.taken[bound.group];
  bound.level = std::max(bound.level, free / weight);
  set_level(bound.group, bound.level);
  return bound;
}

void FairShare::mark(ChannelIndex channel) {
  if (standings_.marked(channel)) return;
  standings_.set_marked(channel, true);
  turns_.mark(channel);
}

void FairShare::set_level(ChannelIndex channel, double level) {
  standings_.level[channel] = level;
  changed_groups_.push_back(channel);
  if (level != infinite)
    turns_.mend(channel, [this](ChannelIndex other) { return standings_.level[other]; });
}

// Of quiet channels the sum means nothing, but it is quicker to add than to ask.
void FairShare::change_taken(ChannelIndex index, double by, double level) {
  standings_.taken[index] += by;
  standings_.highest[index] = std::max(standings_.highest[index], level);
  if (standings_.unaware(index)) mark(index);
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
    } else if (standings_.live(crossing.channel)) {
      change_taken(crossing.channel, weight * bound.level, bound.level);
      if (bounded) ++channels_[bound.group].coupled;
    } else if (bounded) {
      Channel& group = channels_[bound.group];
      group.ceiling = std::min(group.ceiling, channel.quiet_below);
    }
  }
  // Only now: waking a channel counts this flow as well.
  for (const FlowTable::Crossing& crossing : table_.crossings(flow)) {
    const bool quiet = !standings_.live(crossing.channel);
    if (quiet && bound.level > channels_[crossing.channel].quiet_below) wake(crossing.channel);
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
    } else if (standings_.live(crossing.channel)) {
      change_taken(crossing.channel, -weight * level, 0.0);
      if (bounded) --channels_[group].coupled;
    }
  }
  if (bounded && table_.row(group).members == 0) no_members(group);
}

void FairShare::no_members(ChannelIndex index) {
  Channel& channel = channels_[index];
  channel.members = 0.0;
  channel.ceiling = infinite;
  channel.limits = infinite;
}

void FairShare::reset(ChannelIndex index) {
  Channel& channel = channels_[index];
  channel = Channel{.capacity = channel.capacity, .quiet_below = channel.capacity};
  set_live(index, false);
  if (standings_.level[index] != infinite) set_level(index, infinite);
}

void FairShare::add_weight(ChannelIndex index, double weight) {
  Channel& channel = channels_[index];
  channel.weight += weight;
  if (channel.weight <= channel.weight_room) return;
  while (channel.weight_room < channel.weight) channel.weight_room *= 2.0;
  channel.quiet_below = channel.capacity / channel.weight_room;
  if (!standings_.live(index)) announce_quiet(index);
}

// The flows of a quiet channel have to know up to where it stays so.
void FairShare::announce_quiet(ChannelIndex index) {
  const double quiet_below = channels_[index].quiet_below;
  for (const FlowIndex flow : table_.row(index).flows) {
    if (level_of(flow) > quiet_below) {
      wake(index);
      return;
    }
    const GroupIndex group = table_.flow(flow).group;
    if (group == unbounded()) continue;
    channels_[group].ceiling = std::min(channels_[group].ceiling, quiet_below);
  }
}

void FairShare::set_live(ChannelIndex index, bool live) {
  if (standings_.live(index) == live) return;
  standings_.set_live(index, live);
  live_ = live ? live_ + 1 : live_ - 1;
}

void FairShare::wake(ChannelIndex index) {
  set_live(index, true);
  for (const FlowIndex flow : table_.row(index).flows) {
    const GroupIndex group = table_.flow(flow).group;
    if (group != unbounded()) ++channels_[group].coupled;
  }
  add_up(index);
  mark(index);
}

void FairShare::calm(ChannelIndex index) {
  set_live(index, false);
  for (const FlowIndex flow : table_.row(index).flows) {
    const GroupIndex group = table_.flow(flow).group;
    if (group != unbounded()) --channels_[group].coupled;
  }
  announce_quiet(index);
}

void FairShare::add_up(ChannelIndex index) {
  standings_.taken[index] = 0.0;
  standings_.highest[index] = 0.0;
  standings_.looks[index] = 0;
  const FlowTable::Row row = table_.row(index);
  for (std::size_t i = row.members; i < row.size(); ++i) {
    const double level = elsewhere(row, i, index);
    standings_.taken[index] += weight_of(row, i) * level;
    standings_.highest[index] = std::max(standings_.highest[index], level);
  }
}

}  // namespace dbsim
