// Networks with answers that others computed; they are kept beside the repository, not in it.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/transfers.hpp"
#include "sim/topology/topology.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

using Json = nlohmann::json;

struct CaseFlow {
  std::string name;
  Route route;
  Transfer transfer;  // tagged with its place in the case
  std::vector<std::size_t> followers;
  std::size_t waits_for{};  // flows of `after` that have not finished
  Seconds start{};          // or the delay after the last of them
  double finish_s{};
};

struct Case {
  Topology topology;
  std::map<std::string, LinkIndex> links;
  std::map<std::string, NodeIndex> nodes;
  std::vector<CaseFlow> flows;
};

// Where routes are given, the ends of the links mean nothing: each link hangs in the air.
Topology topology_of(const Json& json, const std::map<std::string, NodeIndex>& nodes) {
  const bool given = json.contains("routes");
  Network network;
  network.hosts = given ? 2 : json.at("hosts").size();
  network.switches = given ? 0 : json.at("switches").size();
  for (const Json& link : json.at("links")) {
    network.links.push_back(
        {.from = given ? 0 : nodes.at(link.at("from")),
         .to = given ? 1 : nodes.at(link.at("to")),
         .bandwidth = BytesPerSecond{link.at("bandwidth_Bps").get<double>()},
         .latency = Seconds{link.at("latency_s").get<double>()},
         .duplex = link.at("duplex") == "full" ? Duplex::full : Duplex::shared});
  }
  return Topology{std::move(network)};
}

std::map<std::string, NodeIndex> nodes_of(const Json& json) {
  std::map<std::string, NodeIndex> nodes;
  for (const char* kind : {"hosts", "switches"}) {
    if (!json.contains(kind)) continue;
    for (const Json& name : json.at(kind)) {
      const auto index = static_cast<NodeIndex>(nodes.size());
      nodes[name] = index;
    }
  }
  return nodes;
}

Route route_of(const Json& flow, const Case& network) {
  std::vector<Hop> hops;
  for (const std::string text : flow.at("route")) {
    const Direction direction = text.back() == '>' ? Direction::forward : Direction::backward;
    hops.push_back({network.links.at(text.substr(0, text.size() - 1)), direction});
  }
  return network.topology.along(hops);
}

Case read_case(const Json& json) {
  const std::map<std::string, NodeIndex> nodes = nodes_of(json);
  Case result{.topology = topology_of(json, nodes), .links = {}, .nodes = nodes, .flows = {}};
  for (const Json& link : json.at("links")) {
    const auto index = static_cast<LinkIndex>(result.links.size());
    result.links[link.at("name")] = index;
  }
  std::map<std::string, std::size_t> places;
  for (const Json& flow : json.at("flows")) {
    const std::size_t place = result.flows.size();
    places[flow.at("name")] = place;
    result.flows.push_back(
        {.name = flow.at("name"),
         .route = route_of(flow, result),
         .transfer = {.size = Bytes{flow.at("bytes").get<double>()},
                      .limit = flow.contains("max_rate_Bps")
                                   ? BytesPerSecond{flow.at("max_rate_Bps").get<double>()}
                                   : unlimited,
                      .tag = place},
         .followers = {},
         .waits_for = 0,
         .start = Seconds{flow.value("start_s", flow.value("delay_s", 0.0))},
         .finish_s = flow.at("finish_s").get<double>()});
  }
  for (const Json& flow : json.at("flows")) {
    if (!flow.contains("after")) continue;
    const std::size_t place = places.at(flow.at("name"));
    for (const std::string name : flow.at("after")) {
      result.flows[places.at(name)].followers.push_back(place);
      ++result.flows[place].waits_for;
    }
  }
  return result;
}

void set_bandwidths(const Json& json, const Case& network, Transfers& transfers) {
  for (const Json& link : json.at("links")) {
    if (!link.contains("bandwidth_changes")) continue;
    for (const Json& change : link.at("bandwidth_changes")) {
      const LinkIndex index = network.links.at(link.at("name"));
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        transfers.set_bandwidth(network.topology.channel({index, direction}),
                                BytesPerSecond{change.at("bandwidth_Bps").get<double>()},
                                Instant{to_span(Seconds{change.at("at_s").get<double>()})});
      }
    }
  }
}

std::vector<double> finishes_of(const Json& json, Case network) {
  Transfers transfers{network.topology.capacities()};
  set_bandwidths(json, network, transfers);
  const auto start = [&](const CaseFlow& flow, Instant now) {
    transfers.start(flow.route, flow.transfer, now + to_span(flow.start));
  };
  for (const CaseFlow& flow : network.flows) {
    if (flow.waits_for == 0) start(flow, Instant{});
  }
  std::vector<double> finishes(network.flows.size(), -1.0);
  while (const std::optional<Instant> at = transfers.next_change()) {
    for (const std::uint64_t tag : transfers.advance(*at)) {
      finishes[tag] = to_seconds(at->time_since_epoch()).count();
      for (const std::size_t follower : network.flows[tag].followers) {
        if (--network.flows[follower].waits_for == 0) start(network.flows[follower], *at);
      }
    }
  }
  return finishes;
}

std::optional<Json> read_cases(const std::string& file) {
  const std::filesystem::path path =
      std::filesystem::path{DBSIM_SOURCE_DIR} / ".." / "shared" / "network-cases" / file;
  std::ifstream stream{path};
  if (!stream) return std::nullopt;
  return Json::parse(stream).at("cases");
}

void check_finishes(const std::string& file) {
  const std::optional<Json> cases = read_cases(file);
  if (!cases) {
    WARN(file << " is not here: nothing to compare with");
    return;
  }
  for (const Json& json : *cases) {
    CAPTURE(json.at("name"));
    const Case network = read_case(json);
    const std::vector<double> finishes = finishes_of(json, network);
    for (std::size_t i = 0; i < finishes.size(); ++i) {
      CAPTURE(network.flows[i].name);
      CHECK(finishes[i] == Approx(network.flows[i].finish_s).epsilon(1e-6));
    }
  }
}

}  // namespace

TEST_CASE("every flow of the named networks finishes when it should", "[network_cases]") {
  check_finishes("named-networks.json");
}

TEST_CASE("every flow over given routes finishes when it should", "[network_cases]") {
  check_finishes("given-routes.json");
}

TEST_CASE("our routes through the named networks are theirs", "[network_cases]") {
  const std::optional<Json> cases = read_cases("named-networks.json");
  if (!cases) {
    WARN("named-networks.json is not here: nothing to compare with");
    return;
  }
  for (const Json& json : *cases) {
    CAPTURE(json.at("name"));
    const Case network = read_case(json);
    for (std::size_t i = 0; i < network.flows.size(); ++i) {
      const Json& flow = json.at("flows")[i];
      CHECK(network.topology.route(network.nodes.at(flow.at("from")),
                                   network.nodes.at(flow.at("to"))) == network.flows[i].route);
    }
  }
}
