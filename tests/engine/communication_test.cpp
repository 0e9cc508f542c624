#include "sim/engine/communication.hpp"

#include <vector>

#include "sim/base/check.hpp"
#include "sim/model/collective_algorithms.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

constexpr StarCommunication quiet_star{.bandwidth = BytesPerSecond{1e9}, .latency = Seconds{25e-6}};

CollectiveSetup collective(CollectiveAlgorithm algorithm) {
  return {.algorithm = algorithm,
          .servers = 2,
          .ranks_per_node = 2,
          .chunk = Bytes{4e6},
          .gradient = Bytes{80e6},
          .buckets = 1};
}

Communication communication(const CollectiveSetup& setup, std::size_t workers) {
  return Communication{
      CommunicationSetup{.how = quiet_star, .collective = setup, .workers = workers}};
}

Span microseconds(std::int64_t count) { return std::chrono::microseconds{count}; }

}  // namespace

TEST_CASE("a given time holds whoever arrives when", "[communication]") {
  Communication fixed{CommunicationSetup{
      .how = FixedCommunication{Seconds{0.095}}, .collective = {}, .workers = 2}};
  CHECK(fixed.duration(std::vector{microseconds(0), microseconds(0)}) == microseconds(95000));
  CHECK(fixed.duration(std::vector{microseconds(9), microseconds(1)}) == microseconds(95000));
  CHECK(fixed.messages() == 0);
}

TEST_CASE("a ring starts once the last has arrived", "[communication]") {
  Communication ring = communication(collective(CollectiveAlgorithm::ring), 4);
  const Span expected = 6 * microseconds(20025);
  CHECK(ring.duration(std::vector<Span>(4)) == expected);
  CHECK(ring.duration(std::vector{microseconds(7), Span{}, Span{}, Span{}}) == expected);
  CHECK(ring.messages() == 24);
}

TEST_CASE("trees and rings of every kind start once the last has arrived", "[communication]") {
  const auto time = [](CollectiveAlgorithm algorithm) {
    Communication all = communication(collective(algorithm), 4);
    const Span together = all.duration(std::vector<Span>(4));
    CHECK(all.duration(std::vector{microseconds(7), Span{}, Span{}, Span{}}) == together);
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
    CHECK(flows.duration(std::vector<Span>(4)) == messages.duration(std::vector<Span>(4)));
    CHECK(flows.messages() == (algorithm == CollectiveAlgorithm::ring ? 4 : 12));
  }
}

TEST_CASE("a parameter server takes each gradient as it comes", "[communication]") {
  Communication server = communication(collective(CollectiveAlgorithm::parameter_server), 4);
  CHECK(server.duration(std::vector<Span>(4)) == 2 * microseconds(160025));
  CHECK(server.messages() == 16);
  // The others are long through: one push at the full bandwidth of the worker's own link.
  const std::vector<Span> one_late{microseconds(1000000), Span{}, Span{}, Span{}};
  CHECK(server.duration(one_late) == microseconds(80025) + microseconds(160025));
}

TEST_CASE("buckets cost their latencies", "[communication]") {
  CollectiveSetup setup = collective(CollectiveAlgorithm::ring);
  setup.buckets = 5;
  Communication ring = communication(setup, 4);
  CHECK(ring.duration(std::vector<Span>(4)) == 5 * 6 * microseconds(4025));
  CHECK(ring.messages() == 120);
}

TEST_CASE("buckets counted together are buckets played one by one", "[communication]") {
  CollectiveSetup setup = collective(CollectiveAlgorithm::parameter_server);
  setup.buckets = 3;
  Communication server = communication(setup, 3);
  const std::vector<Span> ready{microseconds(100), microseconds(900), microseconds(0)};
  const Topology topology{star(5, quiet_star.bandwidth, quiet_star.latency)};
  const Bytes bucket{setup.gradient.count() / 3.0};
  const auto played = play(topology, parameter_server(3, 2, bucket).repeated(3), ready);
  CHECK(server.duration(ready) == played.last - microseconds(900));
}

TEST_CASE("a worker alone has nobody to talk to", "[communication]") {
  for (const CollectiveAlgorithm algorithm :
       {CollectiveAlgorithm::ring, CollectiveAlgorithm::parameter_server}) {
    Communication alone = communication(collective(algorithm), 1);
    CHECK(alone.duration(std::vector{microseconds(5)}) == Span::zero());
    CHECK(alone.messages() == 0);
  }
}

TEST_CASE("a copy gives the same answers", "[communication]") {
  Communication server = communication(collective(CollectiveAlgorithm::parameter_server), 2);
  const Communication fresh = server;
  const std::vector<Span> ready{microseconds(0), microseconds(40000)};
  const Span answer = server.duration(ready);
  Communication from_fresh = fresh;
  Communication from_used = server;
  CHECK(from_fresh.duration(ready) == answer);
  CHECK(from_used.duration(ready) == answer);
}

TEST_CASE("every worker has to arrive", "[communication]") {
  Communication ring = communication(collective(CollectiveAlgorithm::ring), 4);
  CHECK_THROWS_AS(ring.duration(std::vector<Span>(3)), BrokenAssumption);
}
