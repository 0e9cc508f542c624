// What must hold between the parts of a scenario.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "sim/io/nearest.hpp"
#include "sim/scenario/describe_collective.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/topology_checks.hpp"
#include "sim/scenario/traffic_checks.hpp"
#include "sim/scenario/worker_names.hpp"

namespace dbsim {

namespace {

void check_names(const Scenario& scenario, const ScenarioDraft& draft,
                 std::vector<Problem>& problems) {
  std::set<std::string_view> groups;
  for (const WorkerDraft& worker : draft.workers) {
    if (!groups.insert(worker.name.value).second) {
      problems.push_back({worker.name.where,
                          worker.name.path,
                          fmt::format("\"{}\" twice", worker.name.value),
                          "names that differ",
                          {}});
    }
    if (worker.name.value.empty()) {
      problems.push_back({worker.name.where, worker.name.path, "an empty name", "a name", {}});
    }
  }
  if (!problems.empty()) return;
  std::set<std::string_view> names;
  for (const WorkerSpec& worker : scenario.workers) {
    if (!names.insert(worker.name).second) {
      problems.push_back({draft.workers.front().name.where,
                          "worker",
                          fmt::format("two workers named \"{}\"", worker.name),
                          "names that differ",
                          {}});
    }
  }
}

void check_batch(const Scenario& scenario, const ScenarioDraft& draft,
                 std::vector<Problem>& problems) {
  const auto workers = static_cast<std::int64_t>(scenario.workers.size());
  const std::int64_t batch = scenario.job.global_batch.count();
  const Placed<std::int64_t>& place = draft.global_batch;
  if (batch < workers) {
    problems.push_back({place.where,
                        place.path,
                        fmt::format("{} for {} workers", batch, workers),
                        fmt::format("at least {}, one sample for each worker", workers),
                        {}});
  }
  if (batch > scenario.job.samples.count()) {
    problems.push_back({place.where,
                        place.path,
                        fmt::format("{}", batch),
                        fmt::format("at most job.samples, {}", scenario.job.samples.count()),
                        {}});
  }
  std::int64_t room = 0;
  for (const WorkerSpec& worker : scenario.workers) {
    const std::optional<Samples> most = scenario.profiles[worker.profile].max_batch;
    if (!most) return;
    room += most->count();
  }
  if (room < batch) {
    problems.push_back(
        {place.where,
         place.path,
         fmt::format("{}", batch),
         fmt::format("at most {}, what the memory of all workers holds (max_batch)", room),
         {}});
  }
}

// The policies themselves know best what they cannot start with.
void check_policies(const Scenario& scenario, const ScenarioDraft& draft, Catalog catalog,
                    std::vector<Problem>& problems) {
  const ClusterView view = cluster_view(scenario);
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    const PolicySpec& spec = scenario.policies[i];
    try {
      const Decision first = catalog[spec.kind].make(spec.parameters)->start(view);
      std::int64_t sum = 0;
      for (const Samples batch : first.local_batches) sum += batch.count();
      if (sum <= scenario.job.samples.count()) continue;
      throw std::invalid_argument{fmt::format("a global batch of {}, more than job.samples, {}",
                                              sum, scenario.job.samples.count())};
    } catch (const std::invalid_argument& refusal) {
      const Placed<std::string>& name = draft.policies[i].name;
      problems.push_back({name.where,
                          name.path,
                          fmt::format("\"{}\", which cannot start", spec.label),
                          refusal.what(),
                          {}});
    }
  }
}

void check_network(const Scenario& scenario, const ScenarioDraft& draft,
                   std::vector<Problem>& problems) {
  if (std::holds_alternative<FixedNetwork>(scenario.network)) return;
  if (gradient_bytes(scenario).count() > 0.0) return;
  problems.push_back(
      {draft.gradient_where,
       "job.gradient",
       "nothing",
       "the bytes all-reduced per step, e.g. \"44.7 MB\": the network needs them, and no profile "
       "names its parameter_bytes",
       {}});
}

void check_order(const Moment& from, const Placed<Moment>& to, std::vector<Problem>& problems) {
  if (from.index() != to.value.index() || from < to.value) return;
  problems.push_back({to.where,
                      to.path,
                      fmt::format("\"{}\"", to_text(to.value)),
                      fmt::format("a moment after from, \"{}\"", to_text(from)),
                      {}});
}

void add_interference(Scenario& scenario, const ScenarioDraft& draft,
                      std::vector<Problem>& problems) {
  const std::vector<std::string_view> known = known_names(scenario, draft);
  for (const InterferenceDraft& hit : draft.interference) {
    InterferenceSpec spec;
    for (const Placed<std::string>& name : hit.workers) {
      const std::vector<std::size_t> found = workers_named(scenario, name.value);
      if (found.empty()) {
        problems.push_back({name.where, name.path, fmt::format("\"{}\"", name.value),
                            "the name of a worker or of a group of workers",
                            nearest(name.value, known)});
      }
      spec.workers.insert(spec.workers.end(), found.begin(), found.end());
    }
    std::ranges::sort(spec.workers);
    spec.workers.erase(std::unique(spec.workers.begin(), spec.workers.end()), spec.workers.end());
    spec.factor = hit.factor.value_or(1.0);
    spec.delay = hit.delay.value_or(Seconds{0.0});
    spec.from = hit.from.value;
    if (hit.to) {
      check_order(spec.from, *hit.to, problems);
      spec.to = hit.to->value;
    }
    scenario.interference.push_back(std::move(spec));
  }
}

// A rough estimate that refuses slips before they run; the engine refuses what it cannot foresee.
double longest_run_s(const Scenario& scenario) {
  const auto batch = static_cast<double>(scenario.job.global_batch.count());
  double step = 0.0;
  for (std::size_t i = 0; i < scenario.workers.size(); ++i) {
    const Profile& profile = scenario.profiles[scenario.workers[i].profile];
    const double most = profile.max_batch
                            ? std::min(batch, static_cast<double>(profile.max_batch->count()))
                            : batch;
    step = std::max(step, profile.step_time.at(most).count() / scenario.workers[i].speed);
  }
  double factor = 1.0;
  double delay = 0.0;
  for (const InterferenceSpec& hit : scenario.interference) {
    factor = std::min(factor, hit.factor);
    delay = std::max(delay, hit.delay.count());
  }
  step = step / factor + delay;
  if (const auto* fixed = std::get_if<FixedNetwork>(&scenario.network)) {
    step += fixed->per_step.count();
  } else {
    const auto& played = std::get<PlayedNetwork>(scenario.network);
    const CollectiveSpec& collective = scenario.collective;
    const auto hosts = static_cast<double>(scenario.workers.size() + collective.servers);
    const double gradient = gradient_bytes(scenario).count();
    const Cable worst = worst_route(scenario, played);
    const double pieces =
        collective.bucket ? std::max(1.0, gradient / collective.bucket->count()) : 1.0;
    const bool chunks = collective.algorithm == CollectiveAlgorithm::double_binary_tree;
    const double rounds = pieces * hosts + (chunks ? gradient / collective.chunk.count() : 0.0);
    step += 2.0 * (hosts * gradient / worst.bandwidth.count() + rounds * worst.latency.count());
  }
  const double steps = static_cast<double>(scenario.job.samples.count()) / batch + 1.0;
  return static_cast<double>(scenario.job.epochs) * steps * step;
}

void check_length(const Scenario& scenario, const ScenarioDraft& draft,
                  std::vector<Problem>& problems) {
  constexpr double seconds_per_year = 365.25 * 86'400.0;
  constexpr double most_years = 100.0;
  const double years = longest_run_s(scenario) / seconds_per_year;
  if (years <= most_years) return;
  problems.push_back({draft.samples.where,
                      "job",
                      fmt::format("a run that may simulate {:.3g} years", years),
                      "at most 100 years: fewer epochs or samples, or faster workers",
                      {}});
}

}  // namespace

void check_scenario(Scenario& scenario, const ScenarioDraft& draft, Catalog catalog,
                    std::vector<Problem>& problems) {
  check_names(scenario, draft, problems);
  check_batch(scenario, draft, problems);
  check_network(scenario, draft, problems);
  const std::size_t before = problems.size();
  check_topology(scenario, draft, problems);
  if (problems.size() == before) add_traffic(scenario, draft, problems);
  check_collective(scenario, draft, problems);
  add_interference(scenario, draft, problems);
  if (problems.empty()) check_length(scenario, draft, problems);
  if (problems.empty()) check_policies(scenario, draft, catalog, problems);
}

ClusterView cluster_view(const Scenario& scenario) {
  ClusterView view{.global_batch = scenario.job.global_batch,
                   .epoch_samples = scenario.job.samples,
                   .workers = {}};
  for (const WorkerSpec& worker : scenario.workers) {
    const Profile& profile = scenario.profiles[worker.profile];
    view.workers.push_back(
        {worker.name, profile.max_batch,
         worker.speed == 1.0 ? profile.step_time : profile.step_time.scaled(1.0 / worker.speed)});
  }
  return view;
}

Bytes gradient_bytes(const Scenario& scenario) {
  if (scenario.job.gradient) return *scenario.job.gradient;
  Bytes bytes{};
  for (const Profile& profile : scenario.profiles) {
    bytes = std::max(bytes, profile.parameter_bytes.value_or(Bytes{}));
  }
  return bytes;
}

}  // namespace dbsim
