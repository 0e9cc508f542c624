// Equal-cost paths: all are found, and each is as likely as any other.
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "sim/topology/shapes.hpp"
#include "sim/topology/topology.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

constexpr Cable cable{BytesPerSecond{1e9}, Seconds{1e-6}};

std::set<std::vector<ChannelIndex>> paths(const Topology& topology, NodeIndex from, NodeIndex to) {
  std::set<std::vector<ChannelIndex>> found;
  for (std::uint64_t key = 0; key < 2000; ++key) {
    found.insert(topology.route(from, to, key).value().channels);
  }
  return found;
}

double chi_square(const std::map<ChannelIndex, double>& counts, std::size_t cells) {
  double all = 0.0;
  for (const auto& [channel, count] : counts) all += count;
  const double expected = all / static_cast<double>(cells);
  double sum = expected * static_cast<double>(cells - counts.size());  // cells nobody fell into
  for (const auto& [channel, count] : counts) sum += (count - expected) * (count - expected);
  return sum / expected;
}

}  // namespace

TEST_CASE("a fat tree has 1, k/2 and (k/2)^2 shortest paths on an edge switch, in and between pods",
          "[topology]") {
  for (const std::size_t k : {4U, 6U, 8U}) {
    const std::size_t half = k / 2;
    const Topology topology{fat_tree({.k = k, .link = cable})};
    CHECK(paths(topology, 0, 1).size() == 1);
    CHECK(paths(topology, 0, static_cast<NodeIndex>(half)).size() == half);
    CHECK(paths(topology, 0, static_cast<NodeIndex>(half * half)).size() == half * half);
  }
}

// 99.9 % points of the chi-square distribution with 15, 3 and 2 degrees of freedom: 37.70, 16.27,
// 13.82 (Abramowitz and Stegun, table 26.8).
TEST_CASE("keys spread one flow evenly over all paths of a fat tree", "[topology]") {
  const Topology topology{fat_tree({.k = 8, .link = cable})};
  std::map<ChannelIndex, double> up;       // from the edge switch
  std::map<ChannelIndex, double> highest;  // from the aggregation switch to a core: the whole path
  for (std::uint64_t key = 0; key < 16'000; ++key) {
    const Route route = topology.route(3, 127, key).value();
    up[route.channels[1]] += 1.0;
    highest[route.channels[2]] += 1.0;
  }
  CHECK(chi_square(up, 4) < 16.27);
  CHECK(chi_square(highest, 16) < 37.70);
}

TEST_CASE("different pairs of hosts spread evenly over the paths, with one key", "[topology]") {
  const Topology topology{fat_tree({.k = 8, .link = cable})};
  for (const std::uint64_t key : {0U, 1U}) {
    std::map<ChannelIndex, double> down;  // from a core to the last pod
    for (NodeIndex from = 0; from < 112; ++from) {
      for (NodeIndex to = 112; to < 128; ++to)
        down[topology.route(from, to, key)->channels[3]] += 1;
    }
    CHECK(chi_square(down, 16) < 37.70);
  }
}

TEST_CASE("three spines share evenly, and so do three links side by side", "[topology]") {
  const Topology spines{leaf_spine({.leaves = 2, .hosts = 1, .spines = 3, .link = cable})};
  const Topology ports{single_switch({.link = cable, .ports = 3}, 2)};
  std::map<ChannelIndex, double> over_spines;
  std::map<ChannelIndex, double> over_ports;
  for (std::uint64_t key = 0; key < 9000; ++key) {
    over_spines[spines.route(0, 1, key)->channels[1]] += 1.0;
    over_ports[ports.route(0, 1, key)->channels[1]] += 1.0;
  }
  CHECK(chi_square(over_spines, 3) < 13.82);
  CHECK(chi_square(over_ports, 3) < 13.82);
}

TEST_CASE("paths of different hops are chosen hop by hop, not path by path", "[topology]") {
  // h0 - s2, then s3 - s5 or s4 - {s6, s7, s8}, each - h1's s9: half of the flows pass s3.
  Network network{.hosts = 2, .switches = 8, .links = {}, .routes = {}};
  const std::vector<std::pair<NodeIndex, NodeIndex>> ends{{0, 2}, {2, 3}, {2, 4}, {3, 5},
                                                          {4, 6}, {4, 7}, {4, 8}, {5, 9},
                                                          {6, 9}, {7, 9}, {8, 9}, {9, 1}};
  for (const auto& [from, to] : ends) join(network, from, to, cable);
  const Topology topology{network};
  double over_s3 = 0.0;
  for (std::uint64_t key = 0; key < 10'000; ++key) {
    const Route route = topology.route(0, 1, key).value();
    over_s3 += route.channels[1] == topology.channel({1, Direction::forward}) ? 1.0 : 0.0;
  }
  CHECK(std::abs(over_s3 - 5000.0) < 3.3 * 50.0);  // 99.9 % of a binomial distribution
}

TEST_CASE("a flow always goes the same way, and back by a way of its own", "[topology]") {
  const Topology topology{fat_tree({.k = 8, .link = cable})};
  const Topology same{fat_tree({.k = 8, .link = cable})};
  std::size_t mirrored = 0;
  for (NodeIndex to = 64; to < 128; ++to) {
    CHECK(topology.route(0, to, 7) == same.route(0, to, 7));
    const Route there = topology.route(0, to, 7).value();
    const Route back = topology.route(to, 0, 7).value();
    mirrored += (there.channels[2] / 2 == back.channels[3] / 2) ? 1 : 0;  // over the same core
  }
  CHECK(mirrored < 16);  // 4 expected
}
