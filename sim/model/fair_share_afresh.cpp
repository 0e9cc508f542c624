// Progressive filling of everything at once: for when so much has changed that mending level by
// level would take longer.
#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/model/fair_share.hpp"

namespace dbsim {

// All levels rise together until a channel is full or a limit is met; the flows concerned keep that
// level, the others rise on.
class FairShare::Filling {
 public:
  explicit Filling(FairShare& shares) : shares_{shares}, levels_before_(shares.channels_.size()) {}

  void run() {
    empty_all();
    fill();
    restore_standings();
    report();
  }

 private:
  struct Full {  // the level at which a channel would be full; may be behind, never ahead
    double level;
    ChannelIndex channel;
    friend bool operator>(const Full& a, const Full& b) {
      return a.level != b.level ? a.level > b.level : a.channel > b.channel;
    }
  };
  struct Rising {
    FlowIndex flow;
    GroupIndex group_before;
  };

  void empty_all() {
    FlowTable& table = shares_.table_;
    for (FlowIndex flow = 0; flow < table.size(); ++flow) {
      const FlowTable::Flow& one = table.flow(flow);
      if (!one.active || one.crossings == 0) continue;
      flows_.push_back({flow, one.group});
      if (one.group != shares_.unbounded()) table.end_membership(flow, one.group);
      if (std::isfinite(one.limit)) limited_.push_back(flow);
      for (const FlowTable::Crossing& crossing : table.crossings(flow)) {
        open_[crossing.channel] += one.weight;
      }
    }
    for (ChannelIndex i = 0; i < shares_.channels_.size(); ++i) {
      levels_before_[i] = shares_.standings_.level[i];
      shares_.no_members(i);
      shares_.channels_[i].weight = open_[i];
      shares_.channels_[i].coupled = 0;
      if (open_[i] > 0.0) full_.push_back({shares_.channels_[i].capacity / open_[i], i});
    }
    std::ranges::sort(limited_, {}, [&](FlowIndex flow) { return table.flow(flow).limit; });
    std::ranges::make_heap(full_, std::greater{});
    stopped_.assign(table.size(), false);
  }

  void fill() {
    const FlowTable& table = shares_.table_;
    std::size_t next = 0;
    while (stopped_count_ < flows_.size()) {
      if (raise_lowest()) continue;
      while (next < limited_.size() && stopped_[limited_[next]]) ++next;
      const Full lowest = full_.front();
      if (next < limited_.size() && table.flow(limited_[next]).limit <= lowest.level) {
        stop(limited_[next], table.flow(limited_[next]).limit, shares_.unbounded());
        continue;
      }
      const std::span<const FlowIndex> row = table.row(lowest.channel).flows;
      row_.assign(row.begin(), row.end());
      shares_.standings_.level[lowest.channel] = lowest.level;
      for (const FlowIndex flow : row_) {
        if (!stopped_[flow]) stop(flow, lowest.level, lowest.channel);
      }
    }
  }

  // Brings the lowest level up to date; false when it was. Rounding must not lower it again: of
  // flows whose limit is just their share, the last would get less than the first.
  bool raise_lowest() {
    const Full lowest = full_.front();
    double level = lowest.level;
    const bool open = rising_in_[lowest.channel] > 0;
    if (open) {
      level = (shares_.channels_[lowest.channel].capacity - taken_[lowest.channel]) /
              open_[lowest.channel];
      if (level <= lowest.level) return false;
    }
    std::ranges::pop_heap(full_, std::greater{});
    full_.pop_back();
    if (open) {
      full_.push_back({level, lowest.channel});
      std::ranges::push_heap(full_, std::greater{});
    }
    return true;
  }

  void stop(FlowIndex flow, double level, GroupIndex group) {
    FlowTable& table = shares_.table_;
    stopped_[flow] = true;
    ++stopped_count_;
    table.set_group(flow, group);
    if (group != shares_.unbounded()) table.make_member(flow, group);
    for (const FlowTable::Crossing& crossing : table.crossings(flow)) {
      taken_[crossing.channel] += level * table.flow(flow).weight;
      open_[crossing.channel] -= table.flow(flow).weight;
      --rising_in_[crossing.channel];
    }
  }

  void restore_standings() {
    for (ChannelIndex i = 0; i < shares_.channels_.size(); ++i) {
      const FlowTable::Row row = shares_.table_.row(i);
      if (row.size() == 0) continue;
      Channel& channel = shares_.channels_[i];
      if (row.members == 0) shares_.standings_.level[i] = infinite;
      for (const FlowIndex flow : row.flows.first(row.members)) {
        channel.members += shares_.table_.flow(flow).weight;
        channel.limits = std::min(channel.limits, shares_.table_.flow(flow).limit);
      }
    }
    for (ChannelIndex i = 0; i < shares_.channels_.size(); ++i) {
      if (shares_.table_.row(i).size() == 0) continue;
      shares_.add_up(i);
      shares_.set_live(i, shares_.table_.row(i).members > 0 ||
                              shares_.standings_.highest[i] > shares_.channels_[i].quiet_below);
    }
  }

  void report() {
    for (const Rising& one : flows_) {
      const GroupIndex group = shares_.table_.flow(one.flow).group;
      if (group != one.group_before) shares_.moved_flows_.push_back(one.flow);
      if (group == shares_.unbounded()) continue;
      Channel& bounding = shares_.channels_[group];
      for (const FlowTable::Crossing& crossing : shares_.table_.crossings(one.flow)) {
        if (crossing.channel == group) continue;
        if (shares_.standings_.live(crossing.channel)) {
          ++bounding.coupled;
        } else {
          bounding.ceiling =
              std::min(bounding.ceiling, shares_.channels_[crossing.channel].quiet_below);
        }
      }
    }
    for (ChannelIndex i = 0; i < shares_.channels_.size(); ++i) {
      if (shares_.standings_.level[i] != levels_before_[i]) {
        shares_.set_level(i, shares_.standings_.level[i]);
      }
    }
  }

  FairShare& shares_;
  std::vector<double> levels_before_;
  std::vector<Rising> flows_;
  std::vector<FlowIndex> limited_;  // by rising limit
  std::vector<Full> full_;          // heap, lowest first
  std::vector<FlowIndex> row_;
  std::vector<bool> stopped_;
  std::size_t stopped_count_{};
  std::vector<double> open_ = std::vector<double>(shares_.channels_.size());   // weights
  std::vector<double> taken_ = std::vector<double>(shares_.channels_.size());  // by who stopped
  std::vector<std::size_t> rising_in_ = rows_of(shares_);

  static std::vector<std::size_t> rows_of(const FairShare& shares) {
    std::vector<std::size_t> sizes;
    for (ChannelIndex i = 0; i < shares.channels_.size(); ++i) {
      sizes.push_back(shares.table_.row(i).size());
    }
    return sizes;
  }
};

void FairShare::divide_afresh() {
  while (!turns_.empty()) standings_.set_marked(turns_.take_first(), false);
  Filling{*this}.run();
}

}  // namespace dbsim
