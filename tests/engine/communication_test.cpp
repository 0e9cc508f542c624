#include "sim/engine/communication.hpp"

#include <utility>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/model/collective_algorithms.hpp"
#include "sim/topology/shapes.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

Network quiet_star() { return star(8, BytesPerSecond{1e9}, Seconds{25e-6}); }

CollectiveSetup collective(CollectiveAlgorithm algorithm) {
  return {.algorithm = algorithm,
          .servers = 2,
          .ranks_per_node = 2,
          .chunk = Bytes{4e6},
          .gradient = Bytes{80e6},
          .buckets = 1};
}

Communication communication(const CollectiveSetup& setup, std::size_t workers,
                            Network network = quiet_star()) {
  return Communication{
      CommunicationSetup{
          .how = PlayedCommunication{std::move(network)}, .collective = setup, .workers = workers},
      RandomStreams{1}};
}

Span microseconds(std::int64_t count) { return std::chrono::microseconds{count}; }

}  // namespace

TEST_CASE("a given time holds whoever arrives when", "[communication]") {
  Communication fixed{
      CommunicationSetup{.how = FixedCommunication{Seconds{0.095}}, .collective = {}, .workers = 2},
      RandomStreams{1}};
  CHECK(fixed.duration(std::vector{microseconds(0), microseconds(0)}, Instant{}) ==
        microseconds(95000));
  CHECK(fixed.duration(std::vector{microseconds(9), microseconds(1)}, Instant{}) ==
        microseconds(95000));
  CHECK(fixed.messages() == 0);
}

TEST_CASE("a ring starts once the last has arrived", "[communication]") {
  Communication ring = communication(collective(CollectiveAlgorithm::ring), 4);
  const Span expected = 6 * microseconds(20025);
  CHECK(ring.duration(std::vector<Span>(4), Instant{}) == expected);
  CHECK(ring.duration(std::vector{microseconds(7), Span{}, Span{}, Span{}}, Instant{}) == expected);
  CHECK(ring.messages() == 24);
}

TEST_CASE("trees and rings of every kind start once the last has arrived", "[communication]") {
  const auto time = [](CollectiveAlgorithm algorithm) {
    Communication all = communication(collective(algorithm), 4);
    const Span together = all.duration(std::vector<Span>(4), Instant{});
    CHECK(all.duration(std::vector{microseconds(7), Span{}, Span{}, Span{}}, Instant{}) ==
          together);
    return together;
  };
  // 2 log2(n) alpha + 2 (n - 1)/n S / beta
  CHECK(time(CollectiveAlgorithm::halving_doubling) == microseconds(4 * 25 + 120000));
  // Within nodes of two 2 (alpha + S / 2), across them 2 (alpha + S / 4)
  CHECK(time(CollectiveAlgorithm::hierarchical) == microseconds(4 * 25 + 80000 + 40000));
  // 10 chunks of 4 MB in each tree, 2 levels: 11 rounds, less a chunk, each way
  CHECK(time(CollectiveAlgorithm::double_binary_tree) == 2 * microseconds(11 * (25 + 8000) - 4000));
}

TEST_CASE("fluid gives the same answers with one flow for each edge", "[communication]") {
  for (const CollectiveAlgorithm algorithm :
       {CollectiveAlgorithm::ring, CollectiveAlgorithm::hierarchical}) {
    CollectiveSetup setup = collective(algorithm);
    Communication messages = communication(setup, 4);
    setup.detail = CollectiveDetail::fluid;
    Communication flows = communication(setup, 4);
    CHECK(flows.duration(std::vector<Span>(4), Instant{}) ==
          messages.duration(std::vector<Span>(4), Instant{}));
    CHECK(flows.messages() == (algorithm == CollectiveAlgorithm::ring ? 4 : 12));
  }
}

TEST_CASE("a parameter server takes each gradient as it comes", "[communication]") {
  Communication server = communication(collective(CollectiveAlgorithm::parameter_server), 4);
  CHECK(server.duration(std::vector<Span>(4), Instant{}) == 2 * microseconds(160025));
  CHECK(server.messages() == 16);
  // The others are long through: one push at the full bandwidth of the worker's own link.
  const std::vector<Span> one_late{microseconds(1000000), Span{}, Span{}, Span{}};
  CHECK(server.duration(one_late, Instant{}) == microseconds(80025) + microseconds(160025));
}

TEST_CASE("buckets cost their latencies", "[communication]") {
  CollectiveSetup setup = collective(CollectiveAlgorithm::ring);
  setup.buckets = 5;
  Communication ring = communication(setup, 4);
  CHECK(ring.duration(std::vector<Span>(4), Instant{}) == 5 * 6 * microseconds(4025));
  CHECK(ring.messages() == 120);
}

TEST_CASE("buckets counted together are buckets played one by one", "[communication]") {
  CollectiveSetup setup = collective(CollectiveAlgorithm::parameter_server);
  setup.buckets = 3;
  Communication server = communication(setup, 3);
  const std::vector<Span> ready{microseconds(100), microseconds(900), microseconds(0)};
  const Topology topology{quiet_star()};
  const Bytes bucket{setup.gradient.count() / 3.0};
  const auto played = play(topology, parameter_server(3, 2, bucket).repeated(3), ready);
  CHECK(server.duration(ready, Instant{}) == played.last - microseconds(900));
}

TEST_CASE("a worker alone has nobody to talk to", "[communication]") {
  for (const CollectiveAlgorithm algorithm :
       {CollectiveAlgorithm::ring, CollectiveAlgorithm::parameter_server}) {
    Communication alone = communication(collective(algorithm), 1);
    CHECK(alone.duration(std::vector{microseconds(5)}, Instant{}) == Span::zero());
    CHECK(alone.messages() == 0);
  }
}

TEST_CASE("a copy gives the same answers", "[communication]") {
  Communication server = communication(collective(CollectiveAlgorithm::parameter_server), 2);
  const Communication fresh = server;
  const std::vector<Span> ready{microseconds(0), microseconds(40000)};
  const Span answer = server.duration(ready, Instant{});
  Communication from_fresh = fresh;
  Communication from_used = server;
  CHECK(from_fresh.duration(ready, Instant{}) == answer);
  CHECK(from_used.duration(ready, Instant{}) == answer);
}

TEST_CASE("every worker has to arrive", "[communication]") {
  Communication ring = communication(collective(CollectiveAlgorithm::ring), 4);
  CHECK_THROWS_AS(ring.duration(std::vector<Span>(3), Instant{}), BrokenAssumption);
}

// Closed forms on an idle network: what crosses the narrowest place, at its bandwidth.

namespace {

constexpr double card = 1e9;

Network nodes_of_four() {
  return gpu_nodes({.gpus = 4,
                    .inside = {BytesPerSecond{100e9}, Seconds{1e-6}},
                    .outside = SingleSwitch{.link = {BytesPerSecond{card}, Seconds{8e-6}}}},
                   8);
}

}  // namespace

TEST_CASE("a ring over nodes of GPUs goes at the pace of the network cards", "[communication]") {
  const CollectiveSetup setup = collective(CollectiveAlgorithm::ring);
  Communication ring = communication(setup, 8, nodes_of_four());
  // 14 rounds of an eighth each, and of the latency between nodes.
  const double expected = 14 * (setup.gradient.count() / 8 / card + 10e-6);
  CHECK(to_seconds(ring.duration(std::vector<Span>(8), Instant{})).count() == Approx(expected));
}

TEST_CASE("hierarchical rings cross the network cards with what a node has summed",
          "[communication]") {
  CollectiveSetup setup = collective(CollectiveAlgorithm::hierarchical);
  setup.ranks_per_node = 4;
  Communication rings = communication(setup, 8, nodes_of_four());
  const double gradient = setup.gradient.count();
  // Six rounds of a quarter inside; then two in which the four GPUs of a node send an eighth each
  // through one card.
  const double inside = 6 * (gradient / 4 / 100e9 + 2e-6);
  const double outside = 2 * (4 * gradient / 8 / card + 10e-6);
  CHECK(to_seconds(rings.duration(std::vector<Span>(8), Instant{})).count() ==
        Approx(inside + outside));
}

TEST_CASE("servers on one leaf receive what its uplinks carry", "[communication]") {
  for (const double oversubscription : {1.0, 2.0, 4.0}) {
    CollectiveSetup setup = collective(CollectiveAlgorithm::parameter_server);
    setup.servers = 4;
    Communication server = communication(setup, 8,
                                         leaf_spine({.leaves = 3,
                                                     .hosts = 4,
                                                     .spines = 1,
                                                     .link = {BytesPerSecond{1e9}, Seconds{}},
                                                     .oversubscription = oversubscription}));
    // Eight gradients in, over uplinks of four hosts' bandwidth / oversubscription; eight out.
    const double expected = 2 * 8 * setup.gradient.count() / (4e9 / oversubscription);
    CHECK(to_seconds(server.duration(std::vector<Span>(8), Instant{})).count() == Approx(expected));
  }
}

TEST_CASE("a cap divides what a server may receive among all who send to it", "[communication]") {
  CollectiveSetup setup = collective(CollectiveAlgorithm::parameter_server);
  setup.servers = 1;
  Network network = star(5, BytesPerSecond{1e9}, Seconds{});
  network.caps = {{.host = 4, .bandwidth = BytesPerSecond{0.25e9}}};
  Communication server = communication(setup, 4, std::move(network));
  const double expected = 2 * 4 * setup.gradient.count() / 0.25e9;
  CHECK(to_seconds(server.duration(std::vector<Span>(4), Instant{})).count() == Approx(expected));
}

TEST_CASE("each worker and each server needs a host", "[communication]") {
  const CollectiveSetup setup = collective(CollectiveAlgorithm::parameter_server);  // two servers
  CHECK_NOTHROW(communication(setup, 6));
  CHECK_THROWS_AS(communication(setup, 7), BrokenAssumption);
}
