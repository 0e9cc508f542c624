#include "sim/engine/communication.hpp"

#include <vector>

#include "sim/base/check.hpp"
#include "sim/topology/shapes.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

// Any number of workers up to six finds its place.
PlayedCommunication star_of(CollectiveAlgorithm algorithm) {
  return {.network = star(8, BytesPerSecond{1e9}, Seconds{25e-6}),
          .algorithm = algorithm,
          .servers = 2,
          .gradient = Bytes{80e6},
          .buckets = 1};
}

Communication communication(const PlayedCommunication& star_setup, std::size_t workers) {
  return Communication{CommunicationSetup{.how = star_setup, .workers = workers}};
}

Span microseconds(std::int64_t count) { return std::chrono::microseconds{count}; }

}  // namespace

TEST_CASE("a given time holds whoever arrives when", "[communication]") {
  Communication fixed{CommunicationSetup{.how = FixedCommunication{Seconds{0.095}}, .workers = 2}};
  CHECK(fixed.duration(std::vector{microseconds(0), microseconds(0)}) == microseconds(95000));
  CHECK(fixed.duration(std::vector{microseconds(9), microseconds(1)}) == microseconds(95000));
  CHECK(fixed.messages() == 0);
}

TEST_CASE("a ring starts once the last has arrived", "[communication]") {
  Communication ring = communication(star_of(CollectiveAlgorithm::ring), 4);
  const Span expected = 6 * microseconds(20025);
  CHECK(ring.duration(std::vector<Span>(4)) == expected);
  CHECK(ring.duration(std::vector{microseconds(7), Span{}, Span{}, Span{}}) == expected);
  CHECK(ring.messages() == 24);
}

TEST_CASE("a parameter server takes each gradient as it comes", "[communication]") {
  Communication server = communication(star_of(CollectiveAlgorithm::parameter_server), 4);
  CHECK(server.duration(std::vector<Span>(4)) == 2 * microseconds(160025));
  CHECK(server.messages() == 16);
  // The others are long through: one push at the full bandwidth of the worker's own link.
  const std::vector<Span> one_late{microseconds(1000000), Span{}, Span{}, Span{}};
  CHECK(server.duration(one_late) == microseconds(80025) + microseconds(160025));
}

TEST_CASE("buckets cost their latencies", "[communication]") {
  PlayedCommunication star_setup = star_of(CollectiveAlgorithm::ring);
  star_setup.buckets = 5;
  Communication ring = communication(star_setup, 4);
  CHECK(ring.duration(std::vector<Span>(4)) == 5 * 6 * microseconds(4025));
  CHECK(ring.messages() == 120);
}

TEST_CASE("buckets counted together are buckets played one by one", "[communication]") {
  PlayedCommunication star_setup = star_of(CollectiveAlgorithm::parameter_server);
  star_setup.buckets = 3;
  Communication server = communication(star_setup, 3);
  const std::vector<Span> ready{microseconds(100), microseconds(900), microseconds(0)};
  const Topology topology{star_setup.network};
  const Bytes bucket{star_setup.gradient.count() / 3.0};
  const auto played = play(topology, parameter_server(3, 2, bucket).repeated(3), ready);
  CHECK(server.duration(ready) == played.last - microseconds(900));
}

TEST_CASE("a worker alone has nobody to talk to", "[communication]") {
  for (const CollectiveAlgorithm algorithm :
       {CollectiveAlgorithm::ring, CollectiveAlgorithm::parameter_server}) {
    Communication alone = communication(star_of(algorithm), 1);
    CHECK(alone.duration(std::vector{microseconds(5)}) == Span::zero());
    CHECK(alone.messages() == 0);
  }
}

TEST_CASE("a copy gives the same answers", "[communication]") {
  Communication server = communication(star_of(CollectiveAlgorithm::parameter_server), 2);
  const Communication fresh = server;
  const std::vector<Span> ready{microseconds(0), microseconds(40000)};
  const Span answer = server.duration(ready);
  Communication from_fresh = fresh;
  Communication from_used = server;
  CHECK(from_fresh.duration(ready) == answer);
  CHECK(from_used.duration(ready) == answer);
}

TEST_CASE("every worker has to arrive", "[communication]") {
  Communication ring = communication(star_of(CollectiveAlgorithm::ring), 4);
  CHECK_THROWS_AS(ring.duration(std::vector<Span>(3)), BrokenAssumption);
}

// Closed forms on an idle network: what crosses the narrowest place, at its bandwidth.

TEST_CASE("a ring over nodes of GPUs goes at the pace of the network cards", "[communication]") {
  const double card = 1e9;
  PlayedCommunication setup = star_of(CollectiveAlgorithm::ring);
  setup.network =
      gpu_nodes({.gpus = 4,
                 .inside = {BytesPerSecond{100e9}, Seconds{1e-6}},
                 .outside = SingleSwitch{.link = {BytesPerSecond{card}, Seconds{8e-6}}}},
                8);
  Communication ring = communication(setup, 8);
  // 14 rounds of an eighth each, and of the latency between nodes.
  const double expected = 14 * (setup.gradient.count() / 8 / card + 10e-6);
  CHECK(to_seconds(ring.duration(std::vector<Span>(8))).count() == Approx(expected));
}

TEST_CASE("servers on one leaf receive what its uplinks carry", "[communication]") {
  for (const double oversubscription : {1.0, 2.0, 4.0}) {
    PlayedCommunication setup = star_of(CollectiveAlgorithm::parameter_server);
    setup.servers = 4;
    setup.network = leaf_spine({.leaves = 3,
                                .hosts = 4,
                                .spines = 1,
                                .link = {BytesPerSecond{1e9}, Seconds{}},
                                .oversubscription = oversubscription});
    Communication server = communication(setup, 8);
    // Eight gradients in, over uplinks of four hosts' bandwidth / oversubscription; eight out.
    const double expected = 2 * 8 * setup.gradient.count() / (4e9 / oversubscription);
    CHECK(to_seconds(server.duration(std::vector<Span>(8))).count() == Approx(expected));
  }
}

TEST_CASE("a cap divides what a server may receive among all who send to it", "[communication]") {
  PlayedCommunication setup = star_of(CollectiveAlgorithm::parameter_server);
  setup.servers = 1;
  setup.network = star(5, BytesPerSecond{1e9}, Seconds{});
  setup.network.caps = {{.host = 4, .bandwidth = BytesPerSecond{0.25e9}}};
  Communication server = communication(setup, 4);
  const double expected = 2 * 4 * setup.gradient.count() / 0.25e9;
  CHECK(to_seconds(server.duration(std::vector<Span>(4))).count() == Approx(expected));
}

TEST_CASE("each worker and each server needs a host", "[communication]") {
  const PlayedCommunication setup = star_of(CollectiveAlgorithm::parameter_server);  // two servers
  CHECK_NOTHROW(communication(setup, 6));
  CHECK_THROWS_AS(communication(setup, 7), BrokenAssumption);
}
