// Steps of training on a network that changes while it is used.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "sim/engine/communication.hpp"
#include "tests/catch.hpp"
#include "tests/support/clusters.hpp"

using namespace dbsim;

namespace {

constexpr BytesPerSecond one_gigabyte{1e9};

CommunicationSetup star_of(std::size_t workers, CollectiveAlgorithm algorithm) {
  CollectiveSetup collective{.algorithm = algorithm,
                             .servers = 2,
                             .ranks_per_node = 2,
                             .chunk = Bytes{1e6},
                             .gradient = Bytes{20e6},
                             .buckets = 3};
  return {.how = PlayedCommunication{.network = star(workers + 2, one_gigabyte, Seconds{25e-6})},
          .collective = std::move(collective),
          .workers = workers};
}

PlayedCommunication& played(CommunicationSetup& setup) {
  return std::get<PlayedCommunication>(setup.how);
}

constexpr std::array algorithms{CollectiveAlgorithm::ring, CollectiveAlgorithm::double_binary_tree,
                                CollectiveAlgorithm::halving_doubling,
                                CollectiveAlgorithm::hierarchical,
                                CollectiveAlgorithm::parameter_server};

/// Cards that differ, each with noise of its own, on a network of 1 GB/s links.
Setup noisy_training(CommunicationSetup communication) {
  std::vector<test::Card> cards;
  for (std::size_t i = 0; i < communication.workers; ++i) {
    cards.push_back(
        {"w" + std::to_string(i), Seconds{0.01}, Seconds{1e-3 * (1.0 + 0.1 * double(i))}, 0.1});
  }
  Setup setup = test::setup_of(cards, {.samples = 2000, .global_batch = 100, .epochs = 3}, {});
  setup.communication = std::move(communication);
  return setup;
}

/// Of each epoch: its end, and the own time and communication of each worker.
std::vector<Span> times_of(const RunTrace& trace) {
  std::vector<Span> times;
  for (const EpochTrace& epoch : trace.epochs) {
    times.push_back(epoch.end.time_since_epoch());
    for (const WorkerEpoch& worker : epoch.workers) {
      times.push_back(worker.own);
      times.push_back(worker.communication);
    }
  }
  return times;
}

/// All that can happen at once.
CommunicationSetup busy(CollectiveAlgorithm algorithm) {
  CommunicationSetup setup = star_of(4, algorithm);
  setup.collective.messages = {.overhead = Seconds{3e-6},
                               .efficiency = {{Bytes{1e5}, 0.5}, {Bytes{1e7}, 0.9}},
                               .jitter = ExponentialDelay{Seconds{50e-6}},
                               .spike = SpikeSpec{.chance = 0.01, .length = Seconds{2e-3}}};
  played(setup).links = {
      {.links = {1},
       .profile = {.lines = {{Seconds{0.1}, BytesPerSecond{0.3e9}}, {Seconds{0.4}, one_gigabyte}},
                   .loop = Seconds{0.7}}}};
  played(setup).traffic = {
      ConstantTraffic{.ends = {0, 3}, .limit = BytesPerSecond{0.2e9}},
      OnOffTraffic{.flow = {.ends = {2, 0}},
                   .on = Seconds{0.05},
                   .off = Seconds{0.05},
                   .random = true,
                   .name = "2>0"},
      TracedTraffic{{{.start = Seconds{0.3}, .ends = {1, 2}, .size = Bytes{1e8}}}}};
  return setup;
}

}  // namespace

TEST_CASE("a delay that is always the same is an overhead", "[network_in_use]") {
  // The one is played step by step at the time that it is, the other once and remembered.
  RandomStream random{3};
  for (const CollectiveAlgorithm algorithm : algorithms) {
    for (const CollectiveDetail detail : {CollectiveDetail::message, CollectiveDetail::fluid}) {
      CommunicationSetup delayed = star_of(4, algorithm);
      delayed.collective.detail = detail;
      CommunicationSetup costly = delayed;
      const Seconds delay = random.uniform() < 0.3 ? Seconds{} : Seconds{40e-6};
      delayed.collective.messages.jitter = MeasuredDelay{{delay}};
      costly.collective.messages.overhead = delay;
      Communication in_use{delayed, RandomStreams{1}};
      Communication remembered{costly, RandomStreams{1}};
      Instant since;
      for (int step = 0; step < 20; ++step) {
        std::vector<Span> ready;
        for (int i = 0; i < 4; ++i) ready.push_back(to_span(Seconds{0.1 * random.uniform()}));
        const Span expected = remembered.duration(ready, since);
        CHECK(in_use.duration(ready, since) == expected);
        since += std::ranges::max(ready) + expected;
      }
    }
  }
}

TEST_CASE("what happens on links that nobody uses changes nothing", "[network_in_use]") {
  for (const CollectiveAlgorithm algorithm : algorithms) {
    CommunicationSetup quiet = star_of(4, algorithm);
    CommunicationSetup elsewhere = quiet;
    played(quiet).network = star(8, one_gigabyte, Seconds{25e-6});
    played(elsewhere).network = played(quiet).network;
    played(elsewhere).traffic = {OnOffTraffic{
        .flow = {.ends = {6, 7}}, .on = Seconds{3e-3}, .off = Seconds{2e-3}, .name = "6>7"}};
    played(elsewhere).links = {
        {.links = {7},
         .profile = {.lines = {{Seconds{}, BytesPerSecond{1e8}}}, .loop = Seconds{0.01}}}};
    const RunTrace expected = test::run(noisy_training(quiet), "dbs");
    const RunTrace found = test::run(noisy_training(elsewhere), "dbs");
    CHECK(times_of(found) == times_of(expected));
  }
}

TEST_CASE("each step finds the network as it is at that time", "[network_in_use]") {
  CommunicationSetup setup = star_of(2, CollectiveAlgorithm::ring);
  setup.collective.buckets = 1;
  played(setup).network = star(2, one_gigabyte, Seconds{});
  // Two rounds of 10 MB: 20 ms at 1 GB/s. The link halves after 110 ms.
  played(setup).links = {
      {.links = {0}, .profile = {.lines = {{Seconds{0.11}, BytesPerSecond{0.5e9}}}}}};
  Communication ring{setup, RandomStreams{1}};
  const auto milliseconds = [](int count) { return Span{std::chrono::milliseconds{count}}; };
  const auto step = [&](int since) {
    return ring.duration(std::vector{milliseconds(1), milliseconds(30)},
                         Instant{milliseconds(since)});
  };
  CHECK(step(0) == milliseconds(20));   // from 30 ms to 50 ms
  CHECK(step(75) == milliseconds(35));  // from 105 ms: half a round, then a round and a half
  CHECK(step(200) == milliseconds(40));
}

TEST_CASE("a flow that lasts halves the share of a ring, at both levels of detail",
          "[network_in_use]") {
  for (const CollectiveDetail detail : {CollectiveDetail::message, CollectiveDetail::fluid}) {
    CommunicationSetup setup = star_of(4, CollectiveAlgorithm::ring);
    setup.collective.detail = detail;
    setup.collective.buckets = 1;
    played(setup).traffic = {ConstantTraffic{.ends = {0, 1}}};
    Communication ring{setup, RandomStreams{1}};
    // 6 rounds of 5 MB at half a GB/s from 0 to 1, for which all others wait.
    const Span found = ring.duration(std::vector<Span>(4), Instant{});
    CHECK(to_seconds(found).count() == Approx(6.0 * (25e-6 + 0.01)).epsilon(0.01));
    CHECK(ring.duration(std::vector<Span>(4), Instant{found}) == found);
  }
}

TEST_CASE("fluid and messages agree to a round where a link changes", "[network_in_use]") {
  for (const CollectiveDetail detail : {CollectiveDetail::message, CollectiveDetail::fluid}) {
    CommunicationSetup setup = star_of(128, CollectiveAlgorithm::ring);
    setup.collective.detail = detail;
    setup.collective.buckets = 1;
    setup.collective.gradient = Bytes{128e6};
    played(setup).network = star(128, one_gigabyte, Seconds{});
    played(setup).links = {
        {.links = {5}, .profile = {.lines = {{Seconds{0.1005}, BytesPerSecond{0.5e9}}}}}};
    Communication ring{setup, RandomStreams{1}};
    const Span found = ring.duration(std::vector<Span>(128), Instant{});
    // 254 rounds of 1 MB: 100.5 at 1 ms, the others at 2 ms.
    CHECK(to_seconds(found).count() == Approx(0.1005 + 2e-3 * 153.5).epsilon(0.01));
  }
}

TEST_CASE("on a network in use own time, communication and waiting make up the whole epoch",
          "[network_in_use]") {
  for (const CollectiveAlgorithm algorithm : algorithms) {
    const RunTrace trace = test::run(noisy_training(busy(algorithm)), "dbs");
    for (const EpochTrace& epoch : trace.epochs) {
      for (const WorkerEpoch& worker : epoch.workers) {
        CHECK(worker.own + worker.communication + worker.wait == epoch.end - epoch.begin);
      }
    }
  }
}

TEST_CASE("the same seed gives the same run on a network in use, another seed another",
          "[network_in_use]") {
  const Setup setup = noisy_training(busy(CollectiveAlgorithm::ring));
  const std::vector<Span> first = times_of(test::run(setup, "dbs", {}, 4));
  CHECK(times_of(test::run(setup, "dbs", {}, 4)) == first);
  CHECK(times_of(test::run(setup, "dbs", {}, 5)) != first);
}

TEST_CASE("buckets that overlap meet the network of their time", "[network_in_use]") {
  // Two workers, two buckets of 10 MB, a ring: each takes 10 ms at 1 GB/s.
  CommunicationSetup setup = star_of(2, CollectiveAlgorithm::ring);
  played(setup).network = star(2, one_gigabyte, Seconds{});
  setup.overlap =
      OverlapSetup{.buckets = {Bytes{10e6}, Bytes{10e6}}, .left = {{0.5, 0.0}, {0.5, 0.0}}};
  const auto milliseconds = [](int count) { return Span{std::chrono::milliseconds{count}}; };
  const std::vector<Span> ready(2, milliseconds(100));
  const std::vector<Span> buckets{milliseconds(50), milliseconds(100), milliseconds(50),
                                  milliseconds(100)};
  played(setup).links = {{.links = {0},
                          .profile = {.lines = {{Seconds{0.055}, BytesPerSecond{0.1e9}},
                                                {Seconds{0.2}, BytesPerSecond{0.5e9}}}}}};
  Communication ring{setup, RandomStreams{1}};
  // The first: a round of 5 MB until 55 ms, one at a tenth until 105 ms. The second: a round until
  // 155 ms, 4.5 MB of the last until 200 ms, 0.5 MB in 1 ms.
  CHECK(ring.duration(ready, buckets, Instant{}) == milliseconds(101));
}
