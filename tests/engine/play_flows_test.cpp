#include "sim/engine/play_flows.hpp"

#include <array>

#include "tests/catch.hpp"

using namespace dbsim;
using namespace std::chrono_literals;

namespace {

constexpr std::array<BytesPerSecond, 2> channels{BytesPerSecond{1e9}, BytesPerSecond{2e9}};

PlannedFlow flow(std::vector<ChannelIndex> route, double bytes) {
  return {.route = {std::move(route), Seconds{1e-3}}, .size = Bytes{bytes}};
}

}  // namespace

TEST_CASE("a flow begins after the last of those that it waits for", "[play_flows]") {
  std::vector<PlannedFlow> flows{flow({1}, 2e9), flow({0}, 1e9), flow({1}, 4e9)};
  flows[0].after = {1, 2};  // 2.001 s is the later one
  flows[0].start = Seconds{0.5};
  const auto finishes = play_flows(channels, flows, {});
  CHECK(finishes[1] == Instant{1001ms});
  CHECK(finishes[2] == Instant{2001ms});
  CHECK(finishes[0] == Instant{3502ms});
}

TEST_CASE("a flow follows its channel's bandwidth through every step", "[play_flows]") {
  const std::vector<BandwidthStep> steps{
      {.channel = 0, .bandwidth = BytesPerSecond{0.0}, .at = Seconds{1.001}},
      {.channel = 0, .bandwidth = BytesPerSecond{2e9}, .at = Seconds{3.001}}};
  CHECK(play_flows(channels, std::vector{flow({0}, 3e9)}, steps)[0] == Instant{4001ms});
}

TEST_CASE("flows of no bytes need their latency only, flows on no channel not even time",
          "[play_flows]") {
  const auto finishes = play_flows(
      channels, std::vector{flow({0}, 0.0), PlannedFlow{.route = {}, .size = Bytes{5.0}}}, {});
  CHECK(finishes[0] == Instant{1ms});
  CHECK(finishes[1] == Instant{});
}

TEST_CASE("flows that never finish hold up those behind them and nobody else", "[play_flows]") {
  std::vector<PlannedFlow> flows{flow({0}, 1.0), flow({1}, 2e9), flow({1}, 1.0), flow({1}, 1.0)};
  flows[2].after = {0, 1};
  flows[3].after = {3};  // itself
  const std::vector<BandwidthStep> steps{
      {.channel = 0, .bandwidth = BytesPerSecond{0.0}, .at = Seconds{0.0}}};
  const auto finishes = play_flows(channels, flows, steps);
  CHECK(!finishes[0]);
  CHECK(finishes[1] == Instant{1001ms});
  CHECK(!finishes[2]);
  CHECK(!finishes[3]);
}

TEST_CASE("what lies beyond the last instant never comes", "[play_flows]") {
  std::vector<PlannedFlow> flows{flow({0}, 1.0), flow({0}, 1.0), flow({0}, 1e300)};
  flows[0].start = Seconds{8e9};
  flows[1].start = Seconds{8e9};
  flows[1].after = {0};
  const auto finishes = play_flows(channels, flows, {});
  CHECK(finishes[0]);
  CHECK(!finishes[1]);
  CHECK(!finishes[2]);
}
