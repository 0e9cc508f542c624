#include "sim/topology/topology.hpp"

#include <vector>

#include "sim/base/check.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

Link link(NodeIndex from, NodeIndex to) {
  return {.from = from,
          .to = to,
          .bandwidth = BytesPerSecond{1e9},
          .latency = Seconds{1e-6},
          .duplex = Duplex::full};
}

std::vector<Hop> forward(const std::vector<LinkIndex>& links) {
  std::vector<Hop> hops;
  for (const LinkIndex index : links) hops.push_back({index, Direction::forward});
  return hops;
}

}  // namespace

TEST_CASE("a route on a star goes up one link and down another", "[topology]") {
  const Topology topology{star(5, BytesPerSecond{1e9}, Seconds{25e-6})};
  CHECK(topology.hosts() == 5);
  CHECK(topology.capacities().size() == 10);
  for (NodeIndex from = 0; from < 5; ++from) {
    for (NodeIndex to = 0; to < 5; ++to) {
      const std::optional<Route> route = topology.route(from, to);
      REQUIRE(route.has_value());
      if (from == to) {
        CHECK(*route == Route{});
        continue;
      }
      CHECK(route->channels == std::vector{topology.channel({from, Direction::forward}),
                                           topology.channel({to, Direction::backward})});
      CHECK(route->latency == Seconds{25e-6});
    }
  }
}

TEST_CASE("the hosts of a star may have links of their own bandwidth", "[topology]") {
  const std::vector<BytesPerSecond> bandwidths{BytesPerSecond{1e9}, BytesPerSecond{2e9}};
  const Topology topology{star(bandwidths, Seconds{0.0})};
  for (LinkIndex host = 0; host < 2; ++host) {
    CHECK(topology.capacities()[topology.channel({host, Direction::forward})] == bandwidths[host]);
    CHECK(topology.capacities()[topology.channel({host, Direction::backward})] == bandwidths[host]);
  }
}

TEST_CASE("the directions of a full-duplex link are two channels, of a shared link one",
          "[topology]") {
  Network network{.hosts = 2, .switches = 0, .links = {link(0, 1), link(0, 1)}, .routes = {}};
  network.links[1].duplex = Duplex::shared;
  const Topology topology{network};
  CHECK(topology.capacities().size() == 3);
  CHECK(topology.channel({0, Direction::forward}) != topology.channel({0, Direction::backward}));
  CHECK(topology.channel({1, Direction::forward}) == topology.channel({1, Direction::backward}));
}

TEST_CASE("a route has the fewest links", "[topology]") {
  // h0 - s2 - s3 - h1 beside h0 - s4 - h1.
  const Network network{.hosts = 2,
                        .switches = 3,
                        .links = {link(0, 2), link(2, 3), link(3, 1), link(0, 4), link(4, 1)},
                        .routes = {}};
  const Topology topology{network};
  CHECK(topology.route(0, 1) == topology.along(forward({3, 4})));
  CHECK(topology.route(0, 1)->latency.count() == Approx(2e-6));
}

TEST_CASE("hosts do not forward", "[topology]") {
  const Network network{.hosts = 3,
                        .switches = 2,
                        .links = {link(0, 1), link(1, 2), link(0, 3), link(3, 4), link(4, 2)},
                        .routes = {}};
  const Topology topology{network};
  CHECK(topology.route(0, 2) == topology.along(forward({2, 3, 4})));
  CHECK(topology.route(0, 1) == topology.along(forward({0})));
}

TEST_CASE("there is no route where no path exists", "[topology]") {
  const Topology topology{Network{.hosts = 2, .switches = 0, .links = {}, .routes = {}}};
  CHECK(!topology.route(0, 1).has_value());
}

TEST_CASE("a given route is taken as it is, in its own direction only", "[topology]") {
  const Network network{.hosts = 2,
                        .switches = 1,
                        .links = {link(0, 1), link(0, 2), link(2, 1)},
                        .routes = {{.from = 0, .to = 1, .hops = forward({1, 2})}}};
  const Topology topology{network};
  CHECK(topology.route(0, 1) == topology.along(forward({1, 2})));
  CHECK(topology.route(1, 0) == topology.along(std::vector<Hop>{{0, Direction::backward}}));
}

TEST_CASE("a capped host sends over one channel more, and receives over another", "[topology]") {
  Network network = star(3, BytesPerSecond{1e9}, Seconds{25e-6});
  network.caps = {{.host = 2, .bandwidth = BytesPerSecond{3e8}}};
  const Topology topology{network};
  const Topology free{star(3, BytesPerSecond{1e9}, Seconds{25e-6})};
  REQUIRE(topology.capacities().size() == 8);
  CHECK(!topology.cap_channels(0));
  const auto cap = topology.cap_channels(2).value();
  CHECK(cap.send != cap.receive);
  CHECK(topology.capacities()[cap.send] == BytesPerSecond{3e8});
  CHECK(topology.capacities()[cap.receive] == BytesPerSecond{3e8});
  Route sends = free.route(2, 0).value();
  sends.channels.insert(sends.channels.begin(), cap.send);
  CHECK(topology.route(2, 0) == sends);
  Route receives = free.route(1, 2).value();
  receives.channels.push_back(cap.receive);
  CHECK(topology.route(1, 2) == receives);
  CHECK(topology.route(0, 1) == free.route(0, 1));
  CHECK(topology.route(2, 2) == Route{});
}

TEST_CASE("a given route crosses the caps of its ends too", "[topology]") {
  const Network network{.hosts = 2,
                        .switches = 0,
                        .links = {link(0, 1), link(0, 1)},
                        .routes = {{.from = 0, .to = 1, .hops = forward({1})}},
                        .caps = {{1, BytesPerSecond{1e6}}, {0, BytesPerSecond{2e6}}}};
  const Topology topology{network};
  const std::vector<ChannelIndex> channels{topology.cap_channels(0)->send,
                                           topology.channel({1, Direction::forward}),
                                           topology.cap_channels(1)->receive};
  CHECK(topology.route(0, 1)->channels == channels);
  CHECK(topology.capacities()[channels[0]] == BytesPerSecond{2e6});
  CHECK(topology.capacities()[channels[2]] == BytesPerSecond{1e6});
}

TEST_CASE("nodes have names, their own or by number", "[topology]") {
  Network network = star(2, BytesPerSecond{1e9}, Seconds{});
  CHECK(name_of(network, 1) == "host/1");
  CHECK(name_of(network, 2) == "switch/0");
  network.names = {"a", "b", "tor"};
  CHECK(name_of(network, 2) == "tor");
  network.names.pop_back();
  CHECK_THROWS_AS(Topology{network}, BrokenAssumption);
}

TEST_CASE("hosts that only a host could join are apart", "[topology]") {
  // h0 - s3 - h1 - s4 - h2.
  const Network network{.hosts = 3,
                        .switches = 2,
                        .links = {link(0, 3), link(3, 1), link(1, 4), link(4, 2)},
                        .routes = {}};
  const Topology topology{network};
  CHECK(!topology.first_apart(2));
  CHECK(topology.first_apart(3) == std::pair<NodeIndex, NodeIndex>{0, 2});
}

TEST_CASE("a link to a node that does not exist is refused", "[topology]") {
  const Network network{.hosts = 2, .switches = 0, .links = {link(0, 7)}, .routes = {}};
  CHECK_THROWS_AS(Topology{network}, BrokenAssumption);
}
