// How levels are mended: look at a channel, lowest first, until all agree.
#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/model/fair_share.hpp"

namespace dbsim {

namespace {

// Levels that differ by less are the same: sums in another order must not set off further changes.
constexpr double same = 1e-12;
// Looks at every live channel before it is quicker to begin anew, which takes as long as a look for
// every few flows.
constexpr std::size_t most_sweeps = 8;
constexpr std::size_t flows_a_look = 8;
constexpr std::size_t few = 12;  // flows to move rather than to divide the channel anew
constexpr double clearly = 4.0 * same;
// Sums are added up anew after so many looks, long before their rounding is as large as that.
constexpr std::uint32_t most_looks = 64;
// Members are told by the whole row where they are one in so many channels.
constexpr std::size_t thinnest_told = 32;

}  // namespace

void FairShare::settle() {
  std::size_t looks = 0;
  const std::size_t most = most_looks + table_.size() / flows_a_look;
  while (!turns_.empty()) {
    const ChannelIndex channel = turns_.take_first();
    standings_.set_marked(channel, false);
    if (!standings_.live(channel)) continue;  // it has calmed down since it was marked
    look_at(channel);
    if (++looks > most + most_sweeps * live_) divide_afresh();
  }
}

void FairShare::look_at(ChannelIndex index) {
  const bool impossible =
      standings_.taken[index] < 0.0 || standings_.taken[index] > channels_[index].capacity;
  if (++standings_.looks[index] > most_looks || impossible) add_up(index);
  if (table_.row(index).members == 0) {
    look_at_unbounding(index);
    return;
  }
  const Channel& channel = channels_[index];
  const double old = standings_.level[index];
  const double level = std::max(0.0, channel.capacity - standings_.taken[index]) / channel.members;
  const bool taken_in =
      level < standings_.highest[index] * (1.0 - clearly) && take_in(index, level);
  if (!taken_in && std::abs(level - old) > same * old) {
    set_level(index, level);
    if (tell_others(index, old, level)) let_go(index, level);
  }
  const bool bounding = standings_.level[index] != infinite;
  if (bounding && standings_.level[index] > channel.ceiling) respect_ceiling(index);
}

void FairShare::look_at_unbounding(ChannelIndex index) {
  const Channel& channel = channels_[index];
  if (standings_.taken[index] > channel.capacity * (1.0 + same)) {
    fill(index, infinite);
    return;
  }
  if (standings_.level[index] != infinite) set_level(index, infinite);
  // Seldom enough to cost nothing: what the flows gained or lost has been told one by one.
  if (standings_.looks[index] > table_.row(index).size()) add_up(index);
  if (standings_.highest[index] <= channel.quiet_below / 2.0) calm(index);
}

// Of the members' level. Whether something bounds one of them at a clearly lower level.
bool FairShare::tell_others(ChannelIndex index, double from, double to) {
  if (channels_[index].coupled == 0) return to > channels_[index].limits;
  const FlowTable::Row row = table_.row(index);
  const double bound = to * (1.0 - clearly);
  if (row.members * thinnest_told >= channels_.size() && !row.member_columns.empty()) {
    return tell_columns(row, {.from = from, .to = to, .bound = bound});
  }
  const double by_plain = to - from;
  bool bounded = false;
  for (std::size_t i = 0; i < row.members; ++i) {
    if (row.others[i] != FlowTable::look_at_flow) {
      bounded |= standings_.level[row.others[i]] < bound;
      change_taken(row.others[i], by_plain, to);
      continue;
    }
    const FlowIndex flow = row.flows[i];
    const double by = table_.flow(flow).weight * (to - from);
    bounded |= table_.flow(flow).limit < bound;
    for (const FlowTable::Crossing& crossing : table_.crossings(flow)) {
      if (crossing.channel == index) continue;
      bounded |= standings_.level[crossing.channel] < bound;
      change_taken(crossing.channel, by, to);
    }
  }
  return bounded;
}

// The same to a whole row at once.
bool FairShare::tell_columns(const FlowTable::Row& row, const LevelChange& change) {
  const bool bounded = tell(row.member_columns, change, standings_);
  for (std::size_t word = 0; word < row.member_columns.size(); ++word) {
    std::uint64_t news = row.member_columns[word] & standings_.unaware()[word];
    for (; news != 0; news &= news - 1) {
      mark(static_cast<ChannelIndex>(64 * word + static_cast<std::size_t>(std::countr_zero(news))));
    }
  }
  return bounded;
}

void FairShare::respect_ceiling(ChannelIndex index) {
  channels_[index].ceiling = infinite;
  const FlowTable::Row row = table_.row(index);
  for (const FlowIndex flow : row.flows.first(row.members)) {
    for (const FlowTable::Crossing& crossing : table_.crossings(flow)) {
      const Channel& channel = channels_[crossing.channel];
      if (standings_.live(crossing.channel)) continue;
      if (standings_.level[index] > channel.quiet_below) {
        wake(crossing.channel);
      } else {
        channels_[index].ceiling = std::min(channels_[index].ceiling, channel.quiet_below);
      }
    }
  }
}

// Flows that others bound at a higher level become members, if there are any; it returns whether.
// Those that the new level turns out too high for leave again.
bool FairShare::take_in(ChannelIndex index, double level) {
  const FlowTable::Row row = table_.row(index);
  if (!row.columns.empty()) {
    const Above others = above(row.columns, row.member_columns, level * (1.0 + same), standings_);
    if (!others.any) {
      standings_.highest[index] = others.highest;
      return false;
    }
  }
  double sum = standings_.taken[index];
  double members = channels_[index].members;
  double highest = 0.0;
  double lowest = infinite;
  row_.clear();
  for (std::size_t i = row.members; i < row.size(); ++i) {
    const double bound = elsewhere(row, i, index);
    if (bound > level * (1.0 + same)) {
      table_.fetch(index, i);
      row_.push_back(row.flows[i]);
      sum -= weight_of(row, i) * bound;
      members += weight_of(row, i);
      lowest = std::min(lowest, bound);
    } else {
      highest = std::max(highest, bound);
    }
  }
  standings_.highest[index] = highest;
  if (row_.size() > few) {
    fill(index, level);
    return true;
  }
  if (row_.empty()) return false;
  const double old = standings_.level[index];
  const double next = std::max(0.0, channels_[index].capacity - sum) / members;
  set_level(index, next);
  const bool bounded_elsewhere = tell_others(index, old, next);
  for (const FlowIndex flow : row_) {
    if (table_.flow(flow).group != index) move(flow, {next, index});
  }
  if (bounded_elsewhere || lowest < next * (1.0 - same)) let_go(index, next);
  return true;
}

// Members that something else bounds at a lower level leave.
void FairShare::let_go(ChannelIndex index, double level) {
  const FlowTable::Row row = table_.row(index);
  row_.clear();
  for (std::size_t i = 0; i < row.members; ++i) {
    if (elsewhere(row, i, index) >= level * (1.0 - same)) continue;
    table_.fetch(index, i);
    row_.push_back(row.flows[i]);
  }
  if (row_.size() > few) {
    fill(index, level);
    return;
  }
  for (const FlowIndex flow : row_) {
    if (table_.flow(flow).group == index) move(flow, bound_without(flow, index));
  }
}

// Raises the level until the channel is full, given what bounds each flow elsewhere, and takes in
// and gives away members accordingly.
void FairShare::fill(ChannelIndex index, double guess) {
  const double old = standings_.level[index];
  const FlowTable::Row row = table_.row(index);
  row_.assign(row.flows.begin(), row.flows.end());
  elsewhere_.resize(row.size());
  weights_.resize(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    elsewhere_[i] = elsewhere(row, i, index);
    weights_[i] = weight_of(row, i);
  }
  const std::size_t members = row.members;  // as of now: the row changes below
  const double level = water_level(channels_[index].capacity, guess);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool moves =
        i < members ? elsewhere_[i] < level * (1.0 - same) : elsewhere_[i] > level * (1.0 + same);
    if (moves) table_.fetch(index, i);
  }
  double taken = 0.0;
  double highest = 0.0;
  const auto count = [&](std::size_t i) {
    taken += weights_[i] * elsewhere_[i];
    highest = std::max(highest, elsewhere_[i]);
  };
  for (std::size_t i = 0; i < members; ++i) {
    if (elsewhere_[i] >= level * (1.0 - same)) continue;
    count(i);
    if (table_.flow(row_[i]).group == index) move(row_[i], bound_without(row_[i], index));
  }
  set_level(index, level);
  (void)tell_others(index, old, level);
  for (std::size_t i = members; i < row_.size(); ++i) {
    if (elsewhere_[i] <= level * (1.0 + same)) {
      count(i);
    } else if (table_.flow(row_[i]).group != index) {
      move(row_[i], {level, index});
    }
  }
  standings_.taken[index] = taken;
  standings_.highest[index] = highest;
  standings_.looks[index] = 0;
  if (level > channels_[index].ceiling && level != infinite) respect_ceiling(index);
}

void FairShare::move(FlowIndex flow, Bound bound) {
  part(flow);
  join(flow, bound);
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
  double level = std::isfinite(guess) ? guess : capacity / weight;
  constexpr int most_steps = 200;
  for (int step = 0; step < most_steps; ++step) {
    double taken = 0.0;
    double open = 0.0;
    for (std::size_t i = 0; i < row_.size(); ++i) {
      const bool below = elsewhere_[i] <= level;
      taken += below ? weights_[i] * elsewhere_[i] : 0.0;
      open += below ? 0.0 : weights_[i];
    }
    const double next = open > 0.0 ? std::max(0.0, capacity - taken) / open : capacity / weight;
    if (std::abs(next - level) <= same / 8.0 * level || (step > 0 && next <= level)) return level;
    level = next;
  }
  return level;
}

}  // namespace dbsim
