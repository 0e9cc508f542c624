#include "sim/model/setup.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

// Builders let a host's link begin at the host.
Network network_of(const Scenario& scenario, const PlayedNetwork& played) {
  Network network = build(played.topology, hosts_needed(scenario));
  for (Link& link : network.links) {
    if (link.from >= scenario.workers.size()) continue;
    link.bandwidth = scenario.workers[link.from].link.value_or(link.bandwidth);
  }
  return network;
}

std::vector<std::string> tenants_of(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const WorkerSpec& worker : scenario.workers) names.push_back(worker.name);
  for (std::size_t host = names.size(); host < hosts_needed(scenario); ++host) {
    names.push_back("server/" + std::to_string(host - scenario.workers.size()));
  }
  return names;
}

CollectiveSetup collective_setup(const Scenario& scenario) {
  const CollectiveSpec& spec = scenario.collective;
  const Bytes gradient = gradient_bytes(scenario);
  const double pieces = spec.bucket ? std::ceil(gradient.count() / spec.bucket->count()) : 1.0;
  return {.algorithm = spec.algorithm,
          .servers = spec.servers,
          .ranks_per_node = spec.ranks_per_node,
          .chunk = spec.chunk,
          .detail = spec.detail,
          .gradient = gradient,
          .buckets = static_cast<std::int64_t>(std::max(1.0, pieces))};
}

CommunicationSetup communication_setup(const Scenario& scenario) {
  CommunicationSetup setup;
  setup.workers = scenario.workers.size();
  if (const auto* fixed = std::get_if<FixedNetwork>(&scenario.network)) {
    setup.how = FixedCommunication{fixed->per_step};
    return setup;
  }
  const auto& played = std::get<PlayedNetwork>(scenario.network);
  setup.how = PlayedCommunication{.network = network_of(scenario, played),
                                  .links = played.links,
                                  .traffic = played.traffic,
                                  .measured = played.measured,
                                  .tenants = tenants_of(scenario)};
  setup.collective = collective_setup(scenario);
  setup.collective.messages = played.messages;
  if (scenario.collective.overlap) setup.overlap = overlap_setup(scenario);
  return setup;
}

}  // namespace

Setup make_setup(const Scenario& scenario) {
  Setup setup;
  setup.view = cluster_view(scenario);
  setup.epochs = scenario.job.epochs;
  setup.steps_between_syncs = scenario.job.steps_between_syncs;
  setup.last_batch = scenario.job.last_batch;
  for (std::size_t i = 0; i < scenario.workers.size(); ++i) {
    const WorkerView& view = setup.view.workers[i];
    check(view.nominal.has_value(), "every worker of a scenario has a profile");
    const double spread = scenario.profiles[scenario.workers[i].profile].spread;
    setup.workers.push_back({view.name, *view.nominal, lognormal_sigma(spread)});
  }
  for (const InterferenceSpec& spec : scenario.interference) {
    for (const std::size_t worker : spec.workers) {
      setup.interference.push_back({worker, spec.factor, spec.delay, spec.from, spec.to});
    }
  }
  setup.communication = communication_setup(scenario);
  return setup;
}

}  // namespace dbsim
