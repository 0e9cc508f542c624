// Graphs drawn by hand: what a file means, and what is refused.
#include "sim/scenario/graph_file.hpp"

#include "sim/base/error.hpp"
#include "sim/topology/topology.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

constexpr const char* rack = R"(graph = 1
name = "a rack"
[[host]]
name = "gpu"
count = 3
[[host]]
name = "old"
cap = "1 GB/s"
[[switch]]
name = "tor"
count = 2
[[link]]
from = "gpu"
to = "tor/0"
bandwidth = "2 GB/s"
latency = "3 us"
[[link]]
from = "old"
to = "tor/1"
bandwidth = "4 GB/s"
duplex = "shared"
[[link]]
from = "tor"
to = "tor"
count = 2
bandwidth = "8 GB/s"
)";

Graph read(const std::string& text) { return read_graph(Document::toml(text, "g.toml")); }

std::string with(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

std::vector<Problem> problems_of(const std::string& text) {
  try {
    (void)read(text);
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

std::string ring_of_switches(const std::string& link) {
  return "graph = 1\n[[host]]\nname = \"h\"\n[[switch]]\nname = \"s\"\ncount = 4\n" + link;
}

}  // namespace

TEST_CASE("a graph has the nodes and links that it names, groups spelt out", "[graph]") {
  const Graph graph = read(rack);
  const Network& network = graph.network;
  CHECK(network.hosts == 4);
  CHECK(network.switches == 2);
  CHECK(network.names ==
        std::vector<std::string>{"gpu/0", "gpu/1", "gpu/2", "old", "tor/0", "tor/1"});
  CHECK(network.caps == std::vector<HostCap>{{.host = 3, .bandwidth = BytesPerSecond{1e9}}});
  REQUIRE(network.links.size() == 6);
  CHECK(network.links[2] == Link{.from = 2,
                                 .to = 4,
                                 .bandwidth = BytesPerSecond{2e9},
                                 .latency = Seconds{3e-6},
                                 .duplex = Duplex::full});
  CHECK(network.links[3].duplex == Duplex::shared);
  CHECK(network.links[4] == network.links[5]);
  CHECK(network.links[5].from == 4);
  CHECK(network.links[5].to == 5);
  REQUIRE(graph.hosts.size() == 4);
  CHECK(graph.hosts[2] == Where{"g.toml", 4, 8});
  CHECK(graph.hosts[3] == Where{"g.toml", 7, 8});
  CHECK(Topology{network}.route(0, 3)->channels.size() == 4);  // three links and a cap
}

TEST_CASE("two groups are joined each to each, and one group in itself pair by pair", "[graph]") {
  const Graph both = read(
      "graph = 1\n[[host]]\nname = \"h\"\ncount = 3\n[[switch]]\nname = \"s\"\n"
      "count = 4\n[[link]]\nfrom = \"h\"\nto = \"s\"\nbandwidth = \"1 GB/s\"\n");
  CHECK(both.network.links.size() == 12);
  const Graph mesh =
      read(ring_of_switches("[[link]]\nfrom = \"s\"\nto = \"s\"\nbandwidth = \"1 GB/s\"\n"));
  CHECK(mesh.network.links.size() == 6);
  const Graph hub =
      read(ring_of_switches("[[link]]\nfrom = \"s\"\nto = \"s/2\"\nbandwidth = \"1 GB/s\"\n"));
  CHECK(hub.network.links.size() == 3);
}

TEST_CASE("an end that nobody has is named, with the nearest word", "[graph]") {
  const std::vector<Problem> problems = problems_of(with(rack, "from = \"old\"", "from = \"odl\""));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].where == Where{"g.toml", 18, 8});
  CHECK(problems[0].key == "link[1].from");
  CHECK(problems[0].found == "\"odl\"");
  CHECK(problems[0].suggestion == "old");
}

TEST_CASE("names and links that come twice are refused, and so is a link from a node to itself",
          "[graph]") {
  CHECK(problems_of(with(rack, "name = \"old\"", "name = \"gpu\"")).size() >= 1);
  CHECK(problems_of(with(rack, "name = \"old\"", "name = \"gpu/1\"")).size() >= 1);
  CHECK(problems_of(with(rack, "name = \"old\"", "name = \"\"")).size() >= 1);
  CHECK(problems_of(with(rack, "to = \"tor/1\"", "to = \"old\"")).size() == 1);
  const std::string twice =
      std::string{rack} + "[[link]]\nfrom = \"tor/0\"\nto = \"gpu/2\"\nbandwidth = \"1 GB/s\"\n";
  const std::vector<Problem> problems = problems_of(twice);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].found == "\"tor/0\" and \"gpu/2\" joined twice");
}

TEST_CASE("what would only fill the memory is refused", "[graph]") {
  const std::string many = with(with(rack, "count = 3", "count = 3000"),
                                "name = \"tor\"\ncount = 2", "name = \"tor\"\ncount = 3000");
  // Hosts to switches, and the switches to each other.
  CHECK(problems_of(with(many, "to = \"tor/0\"", "to = \"tor\"")).size() == 2);
  const std::string too_many = with(rack, "count = 3", "count = 999_999");
  CHECK(problems_of(too_many).size() >= 1);
}
