#include "sim/report/results.hpp"

#include <algorithm>
#include <cstddef>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

double total_s(const RunTrace& run) { return to_seconds(run.total()).count(); }

std::vector<double> totals_s(const PolicyRuns& policy) {
  std::vector<double> totals;
  totals.reserve(policy.repeats.size());
  for (const RunTrace& run : policy.repeats) totals.push_back(total_s(run));
  return totals;
}

struct Sums {  // over all workers and epochs of one run
  double own_s{};
  double communication_s{};
  double wait_s{};
  double samples{};
};

Sums sums_of(const RunTrace& run) {
  Span own{};
  Span communication{};
  Span wait{};
  Samples samples;
  for (const EpochTrace& epoch : run.epochs) {
    for (const WorkerEpoch& worker : epoch.workers) {
      own += worker.own;
      communication += worker.communication;
      wait += worker.wait;
      samples += worker.samples;
    }
  }
  return {.own_s = to_seconds(own).count(),
          .communication_s = to_seconds(communication).count(),
          .wait_s = to_seconds(wait).count(),
          .samples = static_cast<double>(samples.count())};
}

double ratio(double part, double whole) { return whole == 0.0 ? 0.0 : part / whole; }

/// Throughput, utilization and time shares: where the time of all repeats went.
void summarise_use(const PolicyRuns& policy, PolicySummary& summary) {
  std::vector<double> throughputs;
  std::vector<double> utilizations;
  Sums all;
  for (const RunTrace& run : policy.repeats) {
    const Sums sums = sums_of(run);
    const double total = total_s(run);
    throughputs.push_back(ratio(sums.samples, total));
    utilizations.push_back(ratio(sums.own_s, total * static_cast<double>(run.workers.size())));
    all.own_s += sums.own_s;
    all.communication_s += sums.communication_s;
    all.wait_s += sums.wait_s;
  }
  summary.throughput = mean(throughputs);
  summary.utilization = mean(utilizations);
  const double whole = all.own_s + all.communication_s + all.wait_s;
  summary.time_shares = {.own = ratio(all.own_s, whole),
                         .communication = ratio(all.communication_s, whole),
                         .wait = ratio(all.wait_s, whole)};
}

/// What describes one run describes the first repeat.
void summarise_first(const RunTrace& first, PolicySummary& summary) {
  summary.epochs = first.epochs;
  summary.deadlocks = first.deadlocks;
  for (const EpochTrace& epoch : first.epochs) summary.samples_lost += epoch.lost.count();
  if (first.deadlocks.empty() || first.epochs.empty()) return;
  const auto earliest = std::ranges::min_element(first.deadlocks, {}, &Deadlock::at);
  const Span until_then = earliest->at - first.epochs.front().begin;
  summary.deadlock_cost_s = (to_seconds(until_then) + collective_timeout).count();
}

PolicySummary summarise_policy(const PolicyRuns& policy, const std::vector<double>& baselines_s) {
  PolicySummary summary{.label = policy.label,
                        .global_batch = policy.global_batch,
                        .total_time_s = {},
                        .total_time_values_s = totals_s(policy),
                        .saving = {},
                        .time_shares = {},
                        .deadlocks = {},
                        .warnings = policy.warnings,
                        .epochs = {}};
  summary.total_time_s = estimate(summary.total_time_values_s);
  summary.saving = paired_saving(summary.total_time_values_s, baselines_s);
  summary.speedup = ratio(mean(baselines_s), summary.total_time_s.mean);
  summarise_use(policy, summary);
  summarise_first(policy.repeats.front(), summary);
  return summary;
}

void check_comparable(const RunSet& runs, const PolicyRuns& baseline) {
  check(!baseline.repeats.empty(), "every policy has been run at least once");
  for (const PolicyRuns& policy : runs.policies) {
    check(policy.repeats.size() == baseline.repeats.size(), "all policies have as many repeats");
    for (const RunTrace& run : policy.repeats) {
      check(run.workers == baseline.repeats.front().workers, "all runs have the same workers");
    }
  }
}

}  // namespace

Results summarise(const RunSet& runs) {
  const auto baseline = std::ranges::find(runs.policies, runs.baseline, &PolicyRuns::label);
  check(baseline != runs.policies.end(), "the baseline is one of the policies");
  check_comparable(runs, *baseline);
  Results results{.scenario = runs.scenario,
                  .seed = runs.seed,
                  .repeats = baseline->repeats.size(),
                  .baseline = runs.baseline,
                  .workers = baseline->repeats.front().workers,
                  .policies = {}};
  const std::vector<double> baselines_s = totals_s(*baseline);
  for (const PolicyRuns& policy : runs.policies) {
    results.policies.push_back(summarise_policy(policy, baselines_s));
  }
  return results;
}

}  // namespace dbsim
