// Messages with costs and delays, on links that change and that others use, beside what can be
// worked out by hand.
#include "sim/engine/live_network.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/engine/collective_player.hpp"
#include "sim/engine/run_too_long.hpp"
#include "sim/model/collective_algorithms.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

constexpr BytesPerSecond one_gigabyte{1e9};
constexpr BytesPerSecond half_a_gigabyte{0.5e9};
constexpr FlowEnds across{.from = 0, .to = 1};

Span milliseconds(double count) { return to_span(Seconds{1e-3 * count}); }

/// Two hosts and a link of 1 GB/s that both directions divide, without latency: all that crosses
/// it, crosses one channel.
CommunicationSetup pair_of_hosts() {
  Network network = nodes(2, {});
  network.links.push_back(
      {.from = 0, .to = 1, .bandwidth = one_gigabyte, .latency = {}, .duplex = Duplex::shared});
  return {.how = PlayedCommunication{std::move(network)}, .collective = {}, .workers = 2};
}

PlayedCommunication& played(CommunicationSetup& setup) {
  return std::get<PlayedCommunication>(setup.how);
}

/// `count` messages from 0 to 1, one after another.
Schedule in_a_row(Bytes size, std::int64_t count = 1) {
  return Schedule{{{.from = 0, .to = 1, .size = size}}, count};
}

/// When the last of them has arrived, on what the setup says, where they are ready at `start`.
Span finish(const CommunicationSetup& setup, const Schedule& schedule, Span start = {}) {
  const Topology topology{std::get<PlayedCommunication>(setup.how).network};
  LiveNetwork network{setup, topology, RandomStreams{1}};
  const Schedule costly = with_costs(schedule, setup.collective.messages);
  const std::vector<Span> ready(2, start);
  return play(network, costly, routes_of(topology, costly), ready).last;
}

LinkProfileSpec changing(std::vector<BandwidthAt> lines, std::optional<Seconds> loop = {}) {
  return {.links = {0}, .profile = {.lines = std::move(lines), .loop = loop}};
}

}  // namespace

TEST_CASE("n messages in a row take n times overhead and transfer", "[live_network]") {
  CommunicationSetup setup = pair_of_hosts();
  setup.collective.messages.overhead = Seconds{3e-6};
  CHECK(finish(setup, in_a_row(Bytes{1e6}, 100)) == 100 * (milliseconds(0.003) + milliseconds(1)));
}

TEST_CASE("a message takes of the links what its size over its efficiency would",
          "[live_network]") {
  CommunicationSetup setup = pair_of_hosts();
  setup.collective.messages.efficiency = {{Bytes{1e4}, 0.2}, {Bytes{1e6}, 0.8}};
  CHECK(finish(setup, in_a_row(Bytes{1e6})) == milliseconds(1.25));
  CHECK(finish(setup, in_a_row(Bytes{1e4})) == milliseconds(0.05));
  CHECK(finish(setup, in_a_row(Bytes{1e3})) == milliseconds(0.005));  // the nearest holds
  // Half way in the logarithms of both: 0.4 at 100 kB.
  CHECK(finish(setup, in_a_row(Bytes{1e5})) == milliseconds(0.25));
}

TEST_CASE("fluid and messages agree on what messages cost", "[live_network]") {
  constexpr std::size_t n = 8;
  const MessageSpec costs{.overhead = Seconds{20e-6}, .efficiency = {{Bytes{1e3}, 0.5}}};
  const Topology topology{star(n, one_gigabyte, Seconds{5e-6})};
  for (const double size : {8e3, 8e6}) {
    const Schedule messages = with_costs(ring_all_reduce(n, Bytes{size}), costs);
    const std::vector<Span> ready(n);
    // 2 (n - 1) (o + alpha + S / (n beta e))
    const Seconds expected = 14.0 * Seconds{25e-6 + size / (8.0 * 1e9 * 0.5)};
    for (const Schedule& schedule : {messages, fluid(messages)}) {
      const Span found = play(topology, schedule, ready).last;
      CHECK(to_seconds(found).count() == Approx(expected.count()).epsilon(1e-4));
    }
  }
}

TEST_CASE("a flow that lasts leaves a message its fair share", "[live_network]") {
  CommunicationSetup setup = pair_of_hosts();
  played(setup).traffic = {ConstantTraffic{.ends = across}};
  CHECK(finish(setup, in_a_row(Bytes{1e6})) == milliseconds(2));
  played(setup).traffic = {ConstantTraffic{.ends = across}, ConstantTraffic{.ends = across}};
  CHECK(finish(setup, in_a_row(Bytes{1e6})) == milliseconds(3));
  // One that wants less than that leaves more.
  played(setup).traffic = {ConstantTraffic{.ends = across, .limit = BytesPerSecond{0.2e9}}};
  CHECK(finish(setup, in_a_row(Bytes{1e6})) == milliseconds(1.25));
}

TEST_CASE("a flow that comes and goes is there for its part of the time", "[live_network]") {
  CommunicationSetup setup = pair_of_hosts();
  OnOffTraffic traffic{.flow = {.ends = across}, .on = Seconds{0.002}, .off = Seconds{0.003}};
  played(setup).traffic = {traffic};
  // In 5 ms: 2 ms at half of it, 3 ms at all of it: 4 MB.
  CHECK(finish(setup, in_a_row(Bytes{0.5e6})) == milliseconds(1));
  CHECK(finish(setup, in_a_row(Bytes{1e6})) == milliseconds(2));
  CHECK(finish(setup, in_a_row(Bytes{3e6})) == milliseconds(4));
  CHECK(finish(setup, in_a_row(Bytes{41e6})) == milliseconds(52));
  // It is where it is when a message is ready in the middle of it.
  CHECK(finish(setup, in_a_row(Bytes{1e6}), milliseconds(3)) == milliseconds(4));
  CHECK(finish(setup, in_a_row(Bytes{1e6}), milliseconds(4.5)) == milliseconds(6));
  traffic.flow.limit = BytesPerSecond{0.25e9};
  played(setup).traffic = {traffic};
  CHECK(finish(setup, in_a_row(Bytes{4.5e6})) == milliseconds(5));
}

TEST_CASE("random periods have the means that are asked for", "[live_network]") {
  CommunicationSetup setup = pair_of_hosts();
  const OnOffTraffic traffic{.flow = {.ends = across},
                             .on = Seconds{0.002},
                             .off = Seconds{0.003},
                             .random = true,
                             .name = "a>b"};
  played(setup).traffic = {traffic};
  // 4 MB in 5 ms in the mean; 20,000 turns leave a standard error below 0.5 %.
  const Span found = finish(setup, in_a_row(Bytes{80e9}));
  CHECK(to_seconds(found).count() == Approx(100.0).epsilon(0.02));
  CHECK(found != milliseconds(100'000));
  CHECK(finish(setup, in_a_row(Bytes{80e9})) == found);
}

TEST_CASE("a link whose bandwidth changes carries what the lines of its profile add up to",
          "[live_network]") {
  CommunicationSetup setup = pair_of_hosts();
  // 1 GB/s until 2 ms, half of it until 6 ms, none until 7 ms, then 1 GB/s.
  played(setup).links = {changing({{Seconds{0.002}, half_a_gigabyte},
                                   {Seconds{0.006}, BytesPerSecond{}},
                                   {Seconds{0.007}, one_gigabyte}})};
  CHECK(finish(setup, in_a_row(Bytes{2e6})) == milliseconds(2));
  CHECK(finish(setup, in_a_row(Bytes{3e6})) == milliseconds(4));
  CHECK(finish(setup, in_a_row(Bytes{4e6})) == milliseconds(6));
  CHECK(finish(setup, in_a_row(Bytes{5e6})) == milliseconds(8));
  CHECK(finish(setup, in_a_row(Bytes{0.5e6}), milliseconds(3)) == milliseconds(4));
  CHECK(finish(setup, in_a_row(Bytes{1e6}), milliseconds(6.5)) == milliseconds(8));
  CHECK(finish(setup, in_a_row(Bytes{1e6}), milliseconds(900)) == milliseconds(901));
}

TEST_CASE("a looped profile is the unrolled one", "[live_network]") {
  const std::vector<BandwidthAt> turn{{Seconds{0.001}, half_a_gigabyte},
                                      {Seconds{0.0025}, BytesPerSecond{0.3e9}},
                                      {Seconds{0.004}, one_gigabyte}};
  constexpr Seconds period{0.0045};
  std::vector<BandwidthAt> unrolled;
  for (int i = 0; i < 30; ++i) {
    for (const BandwidthAt& line : turn) unrolled.push_back({line.at + i * period, line.bandwidth});
  }
  CommunicationSetup looped = pair_of_hosts();
  played(looped).links = {changing(turn, period)};
  CommunicationSetup flat = pair_of_hosts();
  played(flat).links = {changing(unrolled)};
  for (int i = 1; i < 60; ++i) {
    const Schedule schedule = in_a_row(Bytes{1.3e6 * i});
    CHECK(finish(looped, schedule) == finish(flat, schedule));
  }
}

TEST_CASE("no byte is lost on a link that all flows share", "[live_network]") {
  RandomStream random{7};
  for (int trial = 0; trial < 50; ++trial) {
    CommunicationSetup setup = pair_of_hosts();
    TracedTraffic trace;
    double others = 0.0;
    for (int flow = 0; flow < 5; ++flow) {
      const double size = std::floor(1e5 * random.uniform());
      trace.flows.push_back({.start = Seconds{2e-5 * flow}, .ends = across, .size = Bytes{size}});
      others += size;
    }
    played(setup).traffic = {trace};
    // The message is the last: the link has been busy all the time, with all bytes of all flows.
    constexpr double message = 1e6;
    const Span found = finish(setup, in_a_row(Bytes{message}));
    CHECK(std::abs((found - to_span(Seconds{(message + others) / 1e9})).count()) <= 6);
  }
}

TEST_CASE("a flow of a trace stays within its limit and starts at its time", "[live_network]") {
  CommunicationSetup setup = pair_of_hosts();
  played(setup).traffic = {TracedTraffic{{{.start = Seconds{0.001},
                                           .ends = across,
                                           .size = Bytes{1e6},
                                           .limit = BytesPerSecond{0.25e9}}}}};
  // 1 MB alone; 3 MB beside it in 4 ms; 2 MB alone.
  CHECK(finish(setup, in_a_row(Bytes{1e6})) == milliseconds(1));
  CHECK(finish(setup, in_a_row(Bytes{4e6})) == milliseconds(5));
  CHECK(finish(setup, in_a_row(Bytes{6e6})) == milliseconds(7));
}

TEST_CASE("what happens on a network goes on between messages, and a copy goes its own way",
          "[live_network]") {
  CommunicationSetup setup = pair_of_hosts();
  played(setup).links = {changing({{Seconds{0.010}, half_a_gigabyte}})};
  const Topology topology{played(setup).network};
  const Schedule schedule = in_a_row(Bytes{1e6});
  const std::vector<Route> routes = routes_of(topology, schedule);
  LiveNetwork network{setup, topology, RandomStreams{1}};
  const auto next = [&](LiveNetwork& on, double start) {
    return play(on, schedule, routes, std::vector<Span>(2, milliseconds(start))).last;
  };
  CHECK(next(network, 2.0) == milliseconds(3));
  LiveNetwork copy = network;
  CHECK(next(network, 9.5) == milliseconds(11));  // half of it at either bandwidth
  CHECK(next(network, 20.0) == milliseconds(22));
  CHECK(next(copy, 8.0) == milliseconds(9));
  CHECK(next(copy, 20.0) == milliseconds(22));
}

TEST_CASE("a message that would arrive after a century is given up", "[live_network]") {
  CommunicationSetup setup = pair_of_hosts();
  played(setup).links = {changing({{Seconds{}, BytesPerSecond{1e-3}}})};
  CHECK_THROWS_AS(finish(setup, in_a_row(Bytes{1e9})), RunTooLong);
}
