#include "sim/model/flow_table.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

std::multiset<FlowIndex> as_set(std::span<const FlowIndex> flows) {
  return {flows.begin(), flows.end()};
}

}  // namespace

TEST_CASE("a row names a plain flow's other channel, and sends readers to all other flows",
          "[flow_table]") {
  FlowTable table{3};
  const std::vector<ChannelIndex> two{2, 0};
  const std::vector<ChannelIndex> twice{1, 1};
  table.enter(table.add(two, 1.0, no_limit));
  table.enter(table.add(two, 2.0, no_limit));
  table.enter(table.add(two, 1.0, 5.0));
  table.enter(table.add(twice, 1.0, no_limit));
  const auto others = [&](ChannelIndex channel) {
    const FlowTable::Row row = table.row(channel);
    return std::vector<ChannelIndex>(row.others.begin(), row.others.end());
  };
  constexpr ChannelIndex look = FlowTable::look_at_flow;
  CHECK(others(0) == std::vector<ChannelIndex>{2, look, look});
  CHECK(others(2) == std::vector<ChannelIndex>{0, look, look});
  CHECK(others(1) == std::vector<ChannelIndex>{look, look});
}

TEST_CASE("rows hold the flows that cross them, members first, through any changes",
          "[flow_table]") {
  constexpr std::size_t channels = 7;
  FlowTable table{channels};
  RandomStream random = RandomStreams{41}.stream("flow-table", "changes");
  std::map<FlowIndex, std::vector<ChannelIndex>> paths;
  std::map<FlowIndex, ChannelIndex> member_of;
  const auto any_flow = [&] {
    const auto last = static_cast<std::int64_t>(paths.size()) - 1;
    return std::next(paths.begin(), random.whole(0, last))->first;
  };
  const auto forget_membership = [&](FlowIndex flow) {
    if (!member_of.contains(flow)) return;
    table.end_membership(flow, member_of.at(flow));
    member_of.erase(flow);
  };
  for (int step = 0; step < 5'000; ++step) {
    const double what = random.uniform();
    if (what < 0.4 || paths.empty()) {
      std::vector<ChannelIndex> path;
      for (std::int64_t i = random.whole(0, 4); i > 0; --i) {
        path.push_back(static_cast<ChannelIndex>(random.whole(0, channels - 1)));
      }
      const FlowIndex flow = table.add(path, 1.0, no_limit);
      REQUIRE_FALSE(paths.contains(flow));
      table.enter(flow);
      paths[flow] = path;
    } else if (what < 0.7) {
      const FlowIndex flow = any_flow();
      forget_membership(flow);
      if (paths.at(flow).empty()) continue;
      member_of[flow] = paths.at(flow).front();
      table.make_member(flow, member_of[flow]);
    } else {
      const FlowIndex flow = any_flow();
      if (random.uniform() < 0.5) forget_membership(flow);  // or leaves as a member
      member_of.erase(flow);
      table.leave(flow);
      table.remove(flow);
      paths.erase(flow);
    }
    std::vector<std::multiset<FlowIndex>> rows(channels);
    std::vector<std::multiset<FlowIndex>> members(channels);
    for (const auto& [flow, path] : paths) {
      for (const ChannelIndex channel : path) {
        rows[channel].insert(flow);
        const auto found = member_of.find(flow);
        if (found != member_of.end() && found->second == channel) members[channel].insert(flow);
      }
    }
    for (ChannelIndex channel = 0; channel < channels; ++channel) {
      const FlowTable::Row row = table.row(channel);
      if (as_set(row.flows) != rows[channel]) CHECK(as_set(row.flows) == rows[channel]);
      const auto first = row.flows.first(row.members);
      if (as_set(first) != members[channel]) CHECK(as_set(first) == members[channel]);
    }
  }
}

TEST_CASE("a long row of plain flows has a bit for each one's other channel, and for each member's",
          "[flow_table]") {
  constexpr ChannelIndex channels = 101;
  FlowTable table{channels};
  RandomStream random = RandomStreams{42}.stream("flow-table", "columns");
  std::map<ChannelIndex, FlowIndex> present;  // by other channel
  std::set<ChannelIndex> members;
  bool ever = false;
  for (int step = 0; step < 5'000; ++step) {
    const auto other = static_cast<ChannelIndex>(random.whole(1, channels - 1));
    if (!present.contains(other)) {
      const std::vector<ChannelIndex> path{0, other};
      present[other] = table.add(path, 1.0, no_limit);
      table.enter(present[other]);
    } else if (random.uniform() < 0.4) {
      table.leave(present[other]);
      table.remove(present[other]);
      present.erase(other);
      members.erase(other);
    } else if (members.contains(other)) {
      table.end_membership(present[other], 0);
      members.erase(other);
    } else {
      table.make_member(present[other], 0);
      members.insert(other);
    }
    const FlowTable::Row row = table.row(0);
    if (row.columns.empty()) continue;
    ever = true;
    bool right = true;
    for (ChannelIndex i = 0; i < channels; ++i) {
      right &= (row.columns[i / 64] >> i % 64 & 1U) == (present.contains(i) ? 1U : 0U);
      right &= (row.member_columns[i / 64] >> i % 64 & 1U) == (members.contains(i) ? 1U : 0U);
    }
    if (!right) CHECK(right);
  }
  CHECK(ever);
}

TEST_CASE("a row with two flows of the same two channels has no bits until one has left",
          "[flow_table]") {
  constexpr ChannelIndex channels = 101;
  FlowTable table{channels};
  std::vector<FlowIndex> flows;
  for (ChannelIndex other = 1; other < channels; ++other) {
    const std::vector<ChannelIndex> path{0, other};
    flows.push_back(table.add(path, 1.0, no_limit));
    table.enter(flows.back());
  }
  CHECK_FALSE(table.row(0).columns.empty());
  const std::vector<ChannelIndex> again{0, 7};
  const FlowIndex twin = table.add(again, 1.0, no_limit);
  table.enter(twin);
  CHECK(table.row(0).columns.empty());
  table.leave(twin);
  CHECK_FALSE(table.row(0).columns.empty());
}
