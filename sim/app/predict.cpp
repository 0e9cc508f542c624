#include "sim/app/predict.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/engine/simulate.hpp"
#include "sim/model/setup.hpp"

namespace dbsim {

namespace {

// All policies of one repeat before the next repeat: whenever it ends early, whole repeats can be
// compared.
std::vector<RunTask> tasks_of(const Scenario& scenario, Catalog catalog) {
  const RandomStreams streams{scenario.seed};
  std::vector<RunTask> tasks;
  for (std::size_t repeat = 0; repeat < scenario.repeats; ++repeat) {
    for (const PolicySpec& policy : scenario.policies) {
      tasks.push_back(
          {[&kind = catalog[policy.kind], &policy] { return kind.make(policy.parameters); },
           streams.repeat(repeat), policy.terms});
    }
  }
  return tasks;
}

Samples global_batch_of(const PolicySpec& policy, const Scenario& scenario) {
  const auto batches = policy.parameters.find("batches");
  if (batches == policy.parameters.end()) return scenario.job.global_batch;
  std::int64_t sum = 0;
  for (const std::int64_t batch : std::get<std::vector<std::int64_t>>(batches->second))
    sum += batch;
  return Samples{sum};
}

}  // namespace

RunSet predict(const Scenario& scenario, Catalog catalog, const PredictionOptions& options) {
  const Setup setup = make_setup(scenario);
  const std::vector<RunTask> tasks = tasks_of(scenario, catalog);
  std::vector<std::optional<RunTrace>> traces =
      simulate_all(setup, tasks, options.threads, {options.stop, options.on_run_done});

  RunSet runs{.scenario = scenario.name,
              .seed = scenario.seed,
              .baseline = scenario.policies[scenario.baseline].label,
              .policies = {}};
  for (const PolicySpec& policy : scenario.policies) {
    runs.policies.push_back({.label = policy.label,
                             .global_batch = global_batch_of(policy, scenario),
                             .repeats = {},
                             .warnings = {},
                             .rebalance_cost = policy.terms.rebalance_cost,
                             .observed_timing = policy.terms.timing == Timing::observed});
  }
  const std::size_t policies = scenario.policies.size();
  for (std::size_t repeat = 0; repeat < scenario.repeats; ++repeat) {
    const auto first = traces.begin() + static_cast<std::ptrdiff_t>(repeat * policies);
    if (!std::all_of(first, first + static_cast<std::ptrdiff_t>(policies),
                     [](const auto& t) { return t.has_value(); })) {
      break;
    }
    for (std::size_t i = 0; i < policies; ++i) {
      runs.policies[i].repeats.push_back(std::move(**(first + static_cast<std::ptrdiff_t>(i))));
    }
  }
  for (PolicyRuns& policy : runs.policies) {
    if (!policy.repeats.empty()) policy.warnings = warnings_about(setup, policy.repeats.front());
  }
  return runs;
}

}  // namespace dbsim
