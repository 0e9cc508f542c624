// Routes against a search of the test's own, on networks drawn at random.
#include <algorithm>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/topology/shapes.hpp"
#include "sim/topology/topology.hpp"
#include "tests/catch.hpp"
#include "tests/topology/walk.hpp"

using namespace dbsim;

namespace {

enum class Parallels { none, some };

Network random_network(RandomStream& random, Parallels parallels) {
  Network network{.hosts = static_cast<std::size_t>(random.whole(2, 9)),
                  .switches = static_cast<std::size_t>(random.whole(0, 12)),
                  .links = {},
                  .routes = {}};
  const auto nodes = static_cast<std::int64_t>(network.hosts + network.switches);
  const std::int64_t links = random.whole(1, 2 * nodes);
  std::set<std::pair<NodeIndex, NodeIndex>> joined;
  for (std::int64_t i = 0; i < links; ++i) {
    const auto one = static_cast<NodeIndex>(random.whole(0, nodes - 1));
    const auto other = static_cast<NodeIndex>(random.whole(0, nodes - 1));
    if (one == other) continue;
    if (!joined.insert(std::minmax(one, other)).second && parallels == Parallels::none) continue;
    join(network, one, other, {BytesPerSecond{1e9}, Seconds{1e-6 * random.uniform()}});
  }
  return network;
}

void shuffle(std::vector<Link>& links, RandomStream& random) {
  for (std::size_t i = links.size(); i > 1; --i) {
    std::swap(links[i - 1],
              links[static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(i) - 1))]);
  }
}

}  // namespace

TEST_CASE("a route exists where there is a way, is connected, and is as short as can be",
          "[topology]") {
  RandomStream random = RandomStreams{11}.stream("networks");
  std::size_t routes = 0;
  for (int round = 0; round < 300; ++round) {
    const Topology topology{random_network(random, Parallels::some)};
    const test::Channels channels{topology};
    for (NodeIndex from = 0; from < topology.hosts(); ++from) {
      const std::vector<int> distance = test::links_from(topology.network(), from);
      for (NodeIndex to = 0; to < topology.hosts(); ++to) {
        const auto route = topology.route(from, to, static_cast<std::uint64_t>(round));
        CAPTURE(round, from, to);
        REQUIRE(route.has_value() == (distance[to] >= 0));
        if (!route || from == to) continue;
        ++routes;
        CHECK(route->channels.size() == static_cast<std::size_t>(distance[to]));
        const std::vector<NodeIndex> nodes = channels.nodes(*route);
        REQUIRE(!nodes.empty());
        CHECK(nodes.front() == from);
        CHECK(nodes.back() == to);
        CHECK(std::all_of(nodes.begin() + 1, nodes.end() - 1,
                          [&](NodeIndex node) { return node >= topology.hosts(); }));
        double latency = 0.0;
        for (const ChannelIndex channel : route->channels) {
          latency += channels.link(channel).latency.count();
        }
        CHECK(route->latency.count() == Approx(latency));
      }
    }
  }
  CHECK(routes > 1000);
}

TEST_CASE("two hosts are apart exactly where a search finds no way", "[topology]") {
  RandomStream random = RandomStreams{12}.stream("networks");
  std::size_t apart = 0;
  for (int round = 0; round < 300; ++round) {
    const Topology topology{random_network(random, Parallels::some)};
    const auto found = topology.first_apart(topology.hosts());
    bool expected = false;
    for (NodeIndex from = 0; from < topology.hosts(); ++from) {
      const std::vector<int> distance = test::links_from(topology.network(), from);
      for (NodeIndex to = 0; to < topology.hosts(); ++to) expected |= distance[to] < 0;
    }
    CHECK(found.has_value() == expected);
    if (!found) continue;
    ++apart;
    CHECK(test::links_from(topology.network(), found->first)[found->second] < 0);
  }
  CHECK(apart > 50);
  CHECK(apart < 290);
}

TEST_CASE("the order in which links are named changes no way through the nodes", "[topology]") {
  RandomStream random = RandomStreams{13}.stream("networks");
  for (int round = 0; round < 200; ++round) {
    const Topology topology{random_network(random, Parallels::none)};
    Network other = topology.network();
    shuffle(other.links, random);
    for (Link& link : other.links) {
      if (random.uniform() < 0.5) std::swap(link.from, link.to);
    }
    const Topology shuffled{other};
    const test::Channels channels{topology};
    const test::Channels shuffled_channels{shuffled};
    for (NodeIndex from = 0; from < topology.hosts(); ++from) {
      for (NodeIndex to = 0; to < topology.hosts(); ++to) {
        const auto route = topology.route(from, to, 5);
        const auto again = shuffled.route(from, to, 5);
        REQUIRE(route.has_value() == again.has_value());
        if (!route || from == to) continue;
        CHECK(channels.nodes(*route) == shuffled_channels.nodes(*again));
      }
    }
  }
}

TEST_CASE("with links side by side, the order in which they are named changes no length",
          "[topology]") {
  RandomStream random = RandomStreams{14}.stream("networks");
  for (int round = 0; round < 200; ++round) {
    const Topology topology{random_network(random, Parallels::some)};
    Network other = topology.network();
    shuffle(other.links, random);
    const Topology shuffled{other};
    for (NodeIndex from = 0; from < topology.hosts(); ++from) {
      for (NodeIndex to = 0; to < topology.hosts(); ++to) {
        const auto route = topology.route(from, to);
        const auto again = shuffled.route(from, to);
        REQUIRE(route.has_value() == again.has_value());
        if (route) CHECK(route->channels.size() == again->channels.size());
      }
    }
  }
}

TEST_CASE("a long link is avoided as that many short ones would be", "[topology]") {
  // h0 - s2 - h1 over a link of length 3, or h0 - s2 - s3 - s4 - h1.
  Network network{.hosts = 2, .switches = 3, .links = {}, .routes = {}};
  const Cable cable{BytesPerSecond{1e9}, Seconds{1e-6}};
  join(network, 0, 2, cable);
  join(network, 2, 4, cable);
  join(network, 2, 3, cable);
  join(network, 3, 4, cable);
  join(network, 4, 1, cable);
  CHECK(Topology{network}.route(0, 1)->channels.size() == 3);
  network.links[1].length = 3;
  CHECK(Topology{network}.route(0, 1)->channels.size() == 4);
  CHECK(Topology{network}.route(1, 0)->channels.size() == 4);
}

TEST_CASE("a copy and several threads get the same routes", "[topology][threads]") {
  const Topology topology{fat_tree({.k = 4, .link = {BytesPerSecond{1e9}, Seconds{1e-6}}})};
  const Topology copy = topology;
  std::vector<std::vector<Route>> answers(3);
  {
    std::vector<std::jthread> threads;
    for (std::vector<Route>& mine : answers) {
      threads.emplace_back([&topology, &mine] {
        for (NodeIndex to = 0; to < 16; ++to) mine.push_back(topology.route(3, to).value());
      });
    }
  }
  for (NodeIndex to = 0; to < 16; ++to) {
    for (const std::vector<Route>& mine : answers) CHECK(mine[to] == copy.route(3, to));
  }
}

TEST_CASE("every second host of a fat tree of 1,024 reaches all others as near as can be",
          "[topology]") {
  const Topology topology{fat_tree({.k = 16, .link = {BytesPerSecond{1e9}, Seconds{1e-6}}})};
  REQUIRE(topology.hosts() == 1024);
  std::size_t links = 0;
  std::size_t routes = 0;
  for (NodeIndex from = 0; from < 1024; from += 2) {
    for (NodeIndex to = 0; to < 1024; to += 2) {
      if (from == to) continue;
      links += topology.route(from, to).value().channels.size();
      ++routes;
    }
  }
  CHECK(routes == 261'632);
  // From each host: 3 others on its edge switch, 28 more in its pod, 480 beyond.
  CHECK(links == std::size_t{512} * (3 * 2 + 28 * 4 + 480 * 6));
}
