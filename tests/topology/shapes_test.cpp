// The builders against closed forms: counts, diameters, ratios.
#include "sim/topology/shapes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/topology/topology.hpp"
#include "tests/catch.hpp"
#include "tests/topology/walk.hpp"

using namespace dbsim;

namespace {

constexpr BytesPerSecond ten{1.25e9};
constexpr Cable cable{ten, Seconds{1e-6}};

std::size_t links_between_switches(const Network& network) {
  return static_cast<std::size_t>(std::ranges::count_if(
      network.links, [&](const Link& link) { return link.from >= network.hosts; }));
}

void check_names(const Network& network) {
  const std::set<std::string> names(network.names.begin(), network.names.end());
  CHECK(names.size() == network.hosts + network.switches);
}

void check_shared_out(const Dragonfly& shape) {
  const Network network = dragonfly(shape);
  CHECK(!Topology{network}.first_apart(network.hosts));
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> between;
  std::vector<std::size_t> global(network.switches, 0);
  for (const Link& link : network.links) {
    if (link.from < network.hosts || link.to < network.hosts) continue;
    const std::size_t one = link.from - network.hosts;
    const std::size_t other = link.to - network.hosts;
    if (one / shape.routers == other / shape.routers) continue;
    ++between[std::minmax(one / shape.routers, other / shape.routers)];
    ++global[one];
    ++global[other];
  }
  CHECK(between.size() == shape.groups * (shape.groups - 1) / 2);
  for (const auto& [groups, links] : between) {
    CHECK(links == shape.routers * shape.global_links / (shape.groups - 1));
  }
  const auto [least, most] = std::ranges::minmax(global);
  CHECK(most - least <= 1);
  CHECK(most <= shape.global_links);
}

}  // namespace

TEST_CASE("a k-ary fat tree has k^3/4 hosts, 5k^2/4 switches and 3k^3/4 links", "[topology]") {
  for (const std::size_t k : {2U, 4U, 8U, 16U}) {
    const Network network = fat_tree({.k = k, .link = cable});
    CHECK(network.hosts == k * k * k / 4);
    CHECK(network.switches == 5 * k * k / 4);
    CHECK(network.links.size() == 3 * k * k * k / 4);
    CHECK(hosts_of(FatTree{.k = k, .link = cable}) == network.hosts);
    check_names(network);
    // Every switch has k ports.
    std::map<NodeIndex, std::size_t> ports;
    for (const Link& link : network.links) {
      ++ports[link.from];
      ++ports[link.to];
    }
    for (std::size_t node = 0; node < network.hosts + network.switches; ++node) {
      CHECK(ports[static_cast<NodeIndex>(node)] == (node < network.hosts ? 1 : k));
    }
  }
  CHECK(test::diameter(Topology{fat_tree({.k = 4, .link = cable})}) == 6);
  CHECK_THROWS_AS(fat_tree({.k = 5, .link = cable}), BrokenAssumption);
}

TEST_CASE("the hosts below an edge switch or a leaf send the oversubscription times its uplinks",
          "[topology]") {
  for (const double ratio : {1.0, 2.0, 4.0, 3.5}) {
    const Network tree = fat_tree({.k = 8, .link = cable, .oversubscription = ratio});
    for (NodeIndex edge = 128; edge < 160; ++edge) {
      const test::Ports ports = test::ports_of(tree, edge);
      CHECK(ports.to_hosts / ports.to_switches == Approx(ratio));
    }
    // Further up nothing is lost: what enters an aggregation switch from below leaves it above.
    const test::Ports middle = test::ports_of(tree, 160);
    CHECK(middle.to_switches == Approx(8 * ten.count() / ratio));
    const Network two = leaf_spine({.leaves = 4,
                                    .hosts = 6,
                                    .spines = 3,
                                    .link = cable,
                                    .ports = 2,
                                    .oversubscription = ratio});
    for (NodeIndex leaf = 24; leaf < 28; ++leaf) {
      const test::Ports ports = test::ports_of(two, leaf);
      CHECK(ports.to_hosts == Approx(12 * ten.count()));
      CHECK(ports.to_hosts / ports.to_switches == Approx(ratio));
    }
  }
}

TEST_CASE("a leaf-spine joins each leaf to each spine, at the given bandwidth if there is one",
          "[topology]") {
  const LeafSpine shape{
      .leaves = 3, .hosts = 4, .spines = 2, .link = cable, .uplink = BytesPerSecond{5e9}};
  const Network network = leaf_spine(shape);
  CHECK(network.hosts == 12);
  CHECK(network.switches == 5);
  CHECK(links_between_switches(network) == 6);
  CHECK(test::ports_of(network, 12).to_switches == 10e9);
  CHECK(test::diameter(Topology{network}) == 4);
  check_names(network);
  CHECK(name_of(network, 16) == "spine/1");
}

TEST_CASE("a full dragonfly has a p (a h + 1) hosts, each pair of groups one link apart",
          "[topology]") {
  for (const std::size_t h : {1U, 2U, 3U}) {  // balanced as in the paper: a = 2p = 2h
    const std::size_t a = 2 * h;
    const std::size_t g = a * h + 1;
    const Network network = dragonfly({.groups = g,
                                       .routers = a,
                                       .hosts = h,
                                       .global_links = h,
                                       .link = cable,
                                       .global_link = {ten, Seconds{5e-6}}});
    CHECK(network.hosts == a * h * g);
    CHECK(network.switches == a * g);
    check_names(network);
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> between;
    std::map<NodeIndex, std::size_t> radix;
    for (const Link& link : network.links) {
      ++radix[link.from];
      ++radix[link.to];
      if (link.from < network.hosts) continue;
      const std::size_t one = (link.from - network.hosts) / a;
      const std::size_t other = (link.to - network.hosts) / a;
      if (one != other) ++between[{one, other}];
    }
    CHECK(between.size() == g * (g - 1) / 2);
    for (const auto& [groups, links] : between) CHECK(links == 1);
    for (NodeIndex router = static_cast<NodeIndex>(network.hosts);
         router < network.hosts + network.switches; ++router) {
      CHECK(radix[router] == h + (a - 1) + h);
    }
  }
}

TEST_CASE("groups of a small dragonfly share out the links that there are", "[topology]") {
  // 4 routers with 3 global links: 12 for 4 other groups, 3 each; for 7 other groups 1 each.
  for (const auto& [groups, each] : {std::pair<std::size_t, std::size_t>{5, 3}, {8, 1}, {13, 1}}) {
    const Network network = dragonfly({.groups = groups,
                                       .routers = 4,
                                       .hosts = 1,
                                       .global_links = 3,
                                       .link = cable,
                                       .global_link = cable});
    CHECK(links_between_switches(network) == groups * 6 + each * groups * (groups - 1) / 2);
    std::map<NodeIndex, std::size_t> radix;
    for (const Link& link : network.links) {
      ++radix[link.from];
      ++radix[link.to];
    }
    for (const auto& [node, ports] : radix) CHECK(ports <= 1 + 3 + 3);
  }
  // Whatever the numbers: all meet, each pair of groups has as many links, and no router has two
  // more global ones than another.
  for (std::size_t groups = 2; groups <= 12; ++groups) {
    for (std::size_t routers = 1; routers <= 6; ++routers) {
      for (std::size_t global_links = 1; global_links <= 5; ++global_links) {
        if (groups > routers * global_links + 1) continue;
        CAPTURE(groups, routers, global_links);
        check_shared_out({.groups = groups,
                          .routers = routers,
                          .hosts = 1,
                          .global_links = global_links,
                          .link = cable,
                          .global_link = cable});
      }
    }
  }
  CHECK_THROWS_AS(dragonfly({.groups = 6,
                             .routers = 4,
                             .hosts = 1,
                             .global_links = 1,
                             .link = cable,
                             .global_link = cable}),
                  BrokenAssumption);
}

TEST_CASE("routes on a dragonfly are minimal: one global link and at most one local at each end",
          "[topology]") {
  const std::size_t a = 4;
  const Topology topology{dragonfly({.groups = 9,
                                     .routers = a,
                                     .hosts = 2,
                                     .global_links = 2,
                                     .link = cable,
                                     .global_link = {ten, Seconds{5e-6}}})};
  const test::Channels channels{topology};
  const std::size_t per_group = a * 2;
  std::size_t longest = 0;
  for (NodeIndex from = 0; from < topology.hosts(); ++from) {
    for (NodeIndex to = 0; to < topology.hosts(); ++to) {
      if (from == to) continue;
      const Route route = topology.route(from, to).value();
      std::size_t global = 0;
      for (const ChannelIndex channel : route.channels) {
        global += channels.link(channel).latency == Seconds{5e-6} ? 1 : 0;
      }
      CHECK(global == (from / per_group == to / per_group ? 0 : 1));
      longest = std::max(longest, route.channels.size());
    }
  }
  CHECK(longest == 5);  // a host's link, local, global, local, a host's link
}

TEST_CASE("a torus is half of each dimension across, and the mean way is a quarter of each",
          "[topology]") {
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{4, 4, 4}, {8, 2}, {6}, {2, 2, 2, 2}, {5, 3}, {1, 7}}) {
    const Network network = torus({.sizes = sizes, .link = cable});
    std::size_t nodes = 1;
    std::size_t across = 2;  // a host's link at each end
    double mean = 0.0;       // over all pairs, a node with itself too
    for (const std::size_t size : sizes) {
      nodes *= size;
      across += size / 2;
      const auto n = static_cast<double>(size);
      mean += size % 2 == 0 ? n / 4.0 : (n - 1.0 / n) / 4.0;
    }
    CHECK(network.hosts == nodes);
    CHECK(network.switches == nodes);
    const Topology topology{network};
    CHECK(test::diameter(topology) == across);
    double sum = 0.0;
    for (NodeIndex from = 0; from < nodes; ++from) {
      for (NodeIndex to = 0; to < nodes; ++to) {
        if (from != to) sum += static_cast<double>(topology.route(from, to)->channels.size()) - 2.0;
      }
    }
    CHECK(sum / static_cast<double>(nodes * nodes) == Approx(mean));
  }
}

TEST_CASE("halving a k-ary n-cube cuts 2 k^(n-1) links", "[topology]") {  // Dally 1990
  const Network network = torus({.sizes = {4, 4, 4}, .link = cable});
  CHECK(links_between_switches(network) == 192);  // three for each node
  const auto upper = [&](NodeIndex node) { return (node - network.hosts) / 16 >= 2; };
  const auto cut = std::ranges::count_if(network.links, [&](const Link& link) {
    return link.from >= network.hosts && upper(link.from) != upper(link.to);
  });
  CHECK(cut == 32);
}

TEST_CASE("the host of a torus can fill all links of its node", "[topology]") {
  const Network cube = torus({.sizes = {4, 4, 2}, .link = cable});
  const test::Ports ports = test::ports_of(cube, static_cast<NodeIndex>(cube.hosts));
  CHECK(ports.to_hosts == ports.to_switches);
  CHECK(ports.to_hosts == 5 * ten.count());
  const Network slow = torus({.sizes = {4}, .link = cable, .host_bandwidth = BytesPerSecond{1e8}});
  CHECK(test::ports_of(slow, 4).to_hosts == 1e8);
}

TEST_CASE("GPUs of one node meet inside it; those of two, over its network cards", "[topology]") {
  const Cable inside{BytesPerSecond{300e9}, Seconds{1e-6}};
  const GpuNodes shape{.gpus = 4,
                       .inside = inside,
                       .outside = SingleSwitch{.link = {ten, Seconds{10e-6}}, .ports = 2}};
  const Topology topology{gpu_nodes(shape, 10)};
  CHECK(topology.hosts() == 12);  // three nodes: the last is half empty
  CHECK(topology.network().switches == 4);
  check_names(topology.network());
  CHECK(name_of(topology.network(), 7) == "node/1/gpu/3");
  CHECK(name_of(topology.network(), 13) == "node/1");
  const Route near = topology.route(4, 7).value();
  CHECK(near.channels.size() == 2);
  CHECK(near.latency.count() == Approx(2e-6));
  const Route far = topology.route(3, 4).value();
  CHECK(far.channels.size() == 4);
  CHECK(far.latency.count() == Approx(12e-6));
  const test::Ports node = test::ports_of(topology.network(), 12);
  CHECK(node.to_hosts == Approx(4 * 300e9));
  CHECK(node.to_switches == Approx(2 * ten.count()));
}

TEST_CASE("nodes on leaves oversubscribe their network cards, not their GPUs", "[topology]") {
  const GpuNodes shape{.gpus = 8,
                       .inside = {BytesPerSecond{300e9}, Seconds{}},
                       .outside = LeafSpine{.leaves = 2,
                                            .hosts = 4,
                                            .spines = 2,
                                            .link = cable,
                                            .ports = 2,
                                            .oversubscription = 2.0}};
  const Network network = gpu_nodes(shape, 1);
  CHECK(network.hosts == 64);
  CHECK(hosts_of(shape) == 64);
  CHECK(network.switches == 8 + 2 + 2);
  const NodeIndex leaf = 64 + 8;
  CHECK(name_of(network, leaf) == "leaf/0");
  double down = 0.0;
  double up = 0.0;
  for (const Link& link : network.links) {
    if (link.to == leaf) down += link.bandwidth.count();
    if (link.from == leaf) up += link.bandwidth.count();
  }
  CHECK(down == Approx(8 * ten.count()));
  CHECK(up == Approx(4 * ten.count()));
  CHECK(test::diameter(Topology{network}) == 6);
}

TEST_CASE("every shape says what it is, and has the hosts that it announces", "[topology]") {
  const std::vector<std::pair<TopologySpec, std::string>> shapes{
      {SingleSwitch{.link = cable}, "star of 10 Gbit/s, 1 us from host to host"},
      {LeafSpine{.leaves = 2, .hosts = 8, .spines = 1, .link = cable},
       "leaf-spine of 2 leaves and 1 spine, 8 hosts on each leaf at 10 Gbit/s"},
      {FatTree{.k = 4, .link = cable}, "fat tree of 4-port switches, 16 hosts at 10 Gbit/s"},
      {Dragonfly{.groups = 3,
                 .routers = 2,
                 .hosts = 1,
                 .global_links = 1,
                 .link = cable,
                 .global_link = cable},
       "dragonfly of 3 groups of 2 routers, 1 host on each router at 10 Gbit/s"},
      {Torus{.sizes = {4, 3}, .link = cable}, "torus of 4 x 3, 12 hosts at 10 Gbit/s"},
      {GpuNodes{.gpus = 2, .inside = cable, .outside = SingleSwitch{.link = cable}},
       "nodes of 2 GPUs at 10 Gbit/s, outside a star of 10 Gbit/s, 1 us from host to host"},
      {star(3, ten, Seconds{}), "graph of 3 hosts, 1 switch and 3 links"}};
  for (const auto& [shape, text] : shapes) {
    CHECK(to_text(shape) == text);
    const Network network = build(shape, 6);
    CHECK(network.hosts == hosts_of(shape).value_or(6));
    CHECK(!Topology{network}.first_apart(network.hosts));
  }
}
