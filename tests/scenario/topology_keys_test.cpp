// The keys of [network] that give it its form, and where workers find their place in it.
#include "policies/catalog.hpp"
#include "sim/base/error.hpp"
#include "sim/scenario/load.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

Scenario load(const std::string& network, const std::string& worker = {}) {
  const std::string text = R"(dbsim = 1
name = "s"
policies = ["fixed"]
[job]
model = "m"
samples = 1000
epochs = 3
global_batch = 40
gradient = "100 MB"
[[worker]]
name = "a"
count = 2
profile = { overhead = "10 ms", per_sample = "1 ms" }
)" + worker + R"(
[[worker]]
name = "b"
profile = { overhead = "10 ms", per_sample = "1 ms" }
[network]
)" + network + "\n";
  return load_scenario(Document::toml(text, "s.toml"), catalog());
}

TopologySpec topology_of(const std::string& network) {
  return std::get<PlayedNetwork>(load(network).network).topology;
}

constexpr Cable ten{BytesPerSecond{1.25e9}, Seconds{2e-6}};

}  // namespace

TEST_CASE("each form of network means what it says", "[scenario]") {
  const std::string link = R"(bandwidth = "10 Gbit/s", latency = "2 us")";
  CHECK(topology_of("star = { " + link + " }") == TopologySpec{SingleSwitch{.link = ten}});
  CHECK(topology_of("leaf_spine = { leaves = 3, hosts = 4, spines = 2, oversubscription = 2.5, " +
                    link + " }") ==
        TopologySpec{
            LeafSpine{.leaves = 3, .hosts = 4, .spines = 2, .link = ten, .oversubscription = 2.5}});
  CHECK(topology_of("leaf_spine = { leaves = 3, hosts = 4, spines = 2, uplink = \"1 GB/s\", " +
                    link + " }") ==
        TopologySpec{LeafSpine{
            .leaves = 3, .hosts = 4, .spines = 2, .link = ten, .uplink = BytesPerSecond{1e9}}});
  CHECK(topology_of("fat_tree = { k = 4, oversubscription = 4, " + link + " }") ==
        TopologySpec{FatTree{.k = 4, .link = ten, .oversubscription = 4.0}});
  CHECK(topology_of("dragonfly = { groups = 5, routers = 2, hosts = 2, " + link + " }") ==
        TopologySpec{Dragonfly{.groups = 5,
                               .routers = 2,
                               .hosts = 2,
                               .global_links = 2,
                               .link = ten,
                               .global_link = ten}});
  CHECK(topology_of("dragonfly = { groups = 3, routers = 2, hosts = 2, global_links = 4, "
                    "global_bandwidth = \"1 GB/s\", global_latency = \"2 us\", " +
                    link + " }") ==
        TopologySpec{Dragonfly{.groups = 3,
                               .routers = 2,
                               .hosts = 2,
                               .global_links = 4,
                               .link = ten,
                               .global_link = {BytesPerSecond{1e9}, Seconds{2e-6}}}});
  CHECK(topology_of("torus = { sizes = [4, 2], host_bandwidth = \"1 GB/s\", " + link + " }") ==
        TopologySpec{Torus{.sizes = {4, 2}, .link = ten, .host_bandwidth = BytesPerSecond{1e9}}});
  CHECK(topology_of("nodes = { gpus = 2, nics = 3, " + link + ", star = { " + link + " } }") ==
        TopologySpec{
            GpuNodes{.gpus = 2, .inside = ten, .outside = SingleSwitch{.link = ten, .ports = 3}}});
  CHECK(topology_of("nodes = { gpus = 2, " + link +
                    ", leaf_spine = { leaves = 2, nodes = 1, spines = 1, " + link + " } }") ==
        TopologySpec{
            GpuNodes{.gpus = 2,
                     .inside = ten,
                     .outside = LeafSpine{.leaves = 2, .hosts = 1, .spines = 1, .link = ten}}});
}

TEST_CASE("a worker may have a link of its own where the network gives it one", "[scenario]") {
  const std::string own = "link = \"1 Gbit/s\"";
  for (const char* network :
       {"star = { bandwidth = \"10 Gbit/s\" }",
        "leaf_spine = { leaves = 1, hosts = 3, spines = 1, bandwidth = \"10 Gbit/s\" }",
        "fat_tree = { k = 4, bandwidth = \"10 Gbit/s\" }",
        "dragonfly = { groups = 2, routers = 2, hosts = 2, bandwidth = \"10 Gbit/s\" }"}) {
    const Scenario scenario = load(network, own);
    CHECK(scenario.workers[1].link == BytesPerSecond{1.25e8});
    CHECK(!scenario.workers[2].link);
  }
  for (const char* network :
       {"fixed = \"1 ms\"", "torus = { sizes = [4], bandwidth = \"10 Gbit/s\" }",
        "nodes = { gpus = 4, bandwidth = \"1 GB/s\", star = { bandwidth = \"10 Gbit/s\" } }"}) {
    CHECK_THROWS_AS(load(network, own), InputError);
  }
}

TEST_CASE("servers need hosts behind those of the workers", "[scenario]") {
  const std::string torus = "torus = { sizes = [5], bandwidth = \"10 Gbit/s\" }\n";
  const auto servers = [](int count) {
    return "collective = { algorithm = \"parameter-server\", servers = " + std::to_string(count) +
           " }";
  };
  CHECK_NOTHROW(load(torus + servers(2)));
  CHECK_THROWS_AS(load(torus + servers(3)), InputError);
  // A star and nodes on a star have as many as are wanted.
  CHECK_NOTHROW(load("star = { bandwidth = \"10 Gbit/s\" }\n" + servers(30)));
  CHECK_NOTHROW(
      load("nodes = { gpus = 4, bandwidth = \"1 GB/s\", star = { bandwidth = \"10 Gbit/s\" } }\n" +
           servers(30)));
}

TEST_CASE("hierarchical rings take their nodes from the network", "[scenario]") {
  const std::string nodes =
      "nodes = { gpus = 3, bandwidth = \"1 GB/s\", star = { bandwidth = \"10 Gbit/s\" } }\n";
  const auto hierarchical = [](const std::string& more) {
    return "collective = { algorithm = \"hierarchical\"" + more + " }";
  };
  CHECK(load(nodes + hierarchical("")).collective.ranks_per_node == 3);
  CHECK_NOTHROW(load(nodes + hierarchical(", ranks_per_node = 3")));
  CHECK(load(nodes + hierarchical(", ranks_per_node = 1")).collective.ranks_per_node == 1);
  // Parts of nodes and groups of whole ones are fine; what would lie across two is not.
  const auto six = [&](const std::string& ranks) {
    return load(
        "nodes = { gpus = 2, bandwidth = \"1 GB/s\", star = { bandwidth = \"10 Gbit/s\" } }\n" +
            hierarchical(", ranks_per_node = " + ranks),
        "[[worker]]\nname = \"c\"\ncount = 3\n"
        "profile = { overhead = \"10 ms\", per_sample = \"1 ms\" }");
  };
  CHECK(six("1").collective.ranks_per_node == 1);
  CHECK(six("6").collective.ranks_per_node == 6);
  CHECK_THROWS_AS(six("3"), InputError);
  // Others go over the same nodes and ask nothing of them: two workers more do not fill one.
  const std::string more =
      "[[worker]]\nname = \"c\"\ncount = 2\n"
      "profile = { overhead = \"10 ms\", per_sample = \"1 ms\" }";
  CHECK(load(nodes, more).collective.ranks_per_node == 1);
  CHECK_THROWS_AS(load(nodes + hierarchical(""), more), InputError);
}

TEST_CASE("a network whose latency alone takes a century is refused", "[scenario]") {
  CHECK_THROWS_AS(load("torus = { sizes = [4], bandwidth = \"1 bit/s\" }"), InputError);
}

TEST_CASE("a network whose routes are long is refused for all their links", "[scenario]") {
  // 78 steps of at least four rounds. Routes of two links that take a day each are two years in
  // all; the longest of this torus has 202.
  const auto torus = [](const std::string& latency) {
    return "torus = { sizes = [200, 200], bandwidth = \"1 GB/s\", latency = \"" + latency + "\" }";
  };
  CHECK_NOTHROW(load("star = { bandwidth = \"1 GB/s\", latency = \"1 d\" }"));
  CHECK_NOTHROW(load(torus("1 h")));
  CHECK_THROWS_AS(load(torus("1 d")), InputError);
}
