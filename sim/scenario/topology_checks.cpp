#include "sim/scenario/topology_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "sim/topology/distances.hpp"
#include "sim/topology/topology.hpp"

namespace dbsim {

namespace {

// As a message says who runs there.
std::string tenant(const Scenario& scenario, std::size_t host) {
  if (host < scenario.workers.size()) {
    return fmt::format("worker \"{}\"", scenario.workers[host].name);
  }
  return fmt::format("server {}", host - scenario.workers.size());
}

void check_connected(const Scenario& scenario, const ScenarioDraft& draft, const Network& graph,
                     std::size_t hosts, std::vector<Problem>& problems) {
  const auto apart = Topology{graph}.first_apart(hosts);
  if (!apart) return;
  const auto [from, to] = *apart;
  problems.push_back({draft.topology.hosts[to],
                      "host",
                      fmt::format("no path from \"{}\" ({}) to \"{}\" ({})", name_of(graph, from),
                                  tenant(scenario, from), name_of(graph, to), tenant(scenario, to)),
                      "links and switches between them; hosts do not forward",
                      {}});
}

void check_places(const Scenario& scenario, const ScenarioDraft& draft,
                  std::vector<Problem>& problems) {
  const auto* played = std::get_if<PlayedNetwork>(&scenario.network);
  if (played == nullptr) return;
  if (const auto* torus = std::get_if<Torus>(&played->topology); torus && torus->sizes.empty()) {
    problems.push_back({draft.topology.where,
                        draft.topology.path + ".sizes",
                        "an empty list",
                        "at least one",
                        {}});
    return;
  }
  const std::size_t needed = hosts_needed(scenario);
  const std::optional<std::size_t> hosts = hosts_of(played->topology);
  if (hosts && *hosts < needed) {
    const std::size_t servers = needed - scenario.workers.size();
    problems.push_back(
        {draft.topology.where,
         draft.topology.path,
         fmt::format("{} host{}", *hosts, *hosts == 1 ? "" : "s"),
         fmt::format("at least {}, one for each of {} workers{}", needed, scenario.workers.size(),
                     servers == 0   ? ""
                     : servers == 1 ? " and 1 server"
                                    : fmt::format(" and {} servers", servers)),
         {}});
  } else if (const auto* graph = std::get_if<Network>(&played->topology)) {
    check_connected(scenario, draft, *graph, needed, problems);
  }
}

// A worker's own link is the one that ends at it; a fixed time has none, and elsewhere it is not
// clear which one is meant.
void check_links(const Scenario& scenario, const ScenarioDraft& draft,
                 std::vector<Problem>& problems) {
  const auto* played = std::get_if<PlayedNetwork>(&scenario.network);
  if (played != nullptr && workers_have_links(played->topology)) return;
  for (const WorkerDraft& worker : draft.workers) {
    if (!worker.link) continue;
    problems.push_back({worker.link->where,
                        worker.link->path,
                        "a link on this network",
                        "network.star, leaf_spine, fat_tree or dragonfly beside it",
                        {}});
  }
}

/// No fewer than the longest route has: to any one switch and from there on, and a link to each
/// host.
std::size_t most_links_of_a_route(const Network& network) {
  if (network.switches == 0) return 1;
  const SwitchDistances distances{network};
  const auto away = distances.to(0);
  const std::uint32_t farthest = *std::ranges::max_element(away);
  // Parts that only hosts join are no shorter than a way through all switches.
  if (farthest == unreachable) return network.switches + 1;
  return std::min<std::size_t>(2 * std::size_t{farthest} + 2, network.switches + 1);
}

}  // namespace

void check_topology(const Scenario& scenario, const ScenarioDraft& draft,
                    std::vector<Problem>& problems) {
  check_places(scenario, draft, problems);
  check_links(scenario, draft, problems);
}

bool workers_have_links(const TopologySpec& topology) {
  return std::holds_alternative<SingleSwitch>(topology) ||
         std::holds_alternative<LeafSpine>(topology) || std::holds_alternative<FatTree>(topology) ||
         std::holds_alternative<Dragonfly>(topology);
}

Cable worst_route(const Scenario& scenario, const PlayedNetwork& played) {
  Cable worst{BytesPerSecond{std::numeric_limits<double>::infinity()}, Seconds{}};
  double least = 1.0;
  const Network network = build(played.topology, scenario.workers.size());
  for (const Link& link : network.links) {
    worst.bandwidth = std::min(worst.bandwidth, link.bandwidth);
    worst.latency = std::max(worst.latency, link.latency);
  }
  worst.latency *= static_cast<double>(most_links_of_a_route(network));
  for (const HostCap& cap : network.caps) {
    worst.bandwidth = std::min(worst.bandwidth, cap.bandwidth);
  }
  for (const WorkerSpec& worker : scenario.workers) {
    worst.bandwidth = std::min(worst.bandwidth, worker.link.value_or(worst.bandwidth));
  }
  for (const Efficiency& row : played.messages.efficiency) least = std::min(least, row.efficiency);
  const auto others = static_cast<double>(played.traffic.size());
  worst.bandwidth = BytesPerSecond{worst.bandwidth.count() * least / (1.0 + others)};
  worst.latency += played.messages.overhead;
  return worst;
}

std::size_t hosts_needed(const Scenario& scenario) {
  const CollectiveSpec& collective = scenario.collective;
  const bool serves = collective.algorithm == CollectiveAlgorithm::parameter_server;
  return scenario.workers.size() + (serves ? collective.servers : 0);
}

}  // namespace dbsim
