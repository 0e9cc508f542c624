#include "sim/report/results.hpp"

#include <algorithm>
#include <cmath>
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

/// Over all workers and epochs of one run, in nanoseconds: in whole numbers 1.2 s of 1.5 s is 0.8
/// to the last digit, and as doubles a thousand workers for a year do not overflow.
struct Sums {
  double own{};
  double communication{};
  double wait{};
  double rebalancing{};
  double samples{};
};

double nanoseconds(Span span) { return static_cast<double>(span.count()); }

Sums sums_of(const RunTrace& run) {
  Sums sums;
  for (const EpochTrace& epoch : run.epochs) {
    for (const WorkerEpoch& worker : epoch.workers) {
      sums.own += nanoseconds(worker.own);
      sums.communication += nanoseconds(worker.communication);
      sums.wait += nanoseconds(worker.wait);
      sums.samples += static_cast<double>(worker.samples.count());
    }
    sums.rebalancing += nanoseconds(epoch.rebalancing) * static_cast<double>(epoch.workers.size());
  }
  return sums;
}

double ratio(double part, double whole) { return whole == 0.0 ? 0.0 : part / whole; }

/// Throughput, utilization and time shares: where the time of all repeats went.
void summarise_use(const PolicyRuns& policy, PolicySummary& summary) {
  std::vector<double> throughputs;
  std::vector<double> utilizations;
  Sums all;
  for (const RunTrace& run : policy.repeats) {
    const Sums sums = sums_of(run);
    throughputs.push_back(ratio(sums.samples, total_s(run)));
    const auto workers = static_cast<double>(run.workers.size());
    utilizations.push_back(ratio(sums.own, nanoseconds(run.total()) * workers));
    all.own += sums.own;
    all.communication += sums.communication;
    all.wait += sums.wait;
    all.rebalancing += sums.rebalancing;
  }
  summary.throughput = mean(throughputs);
  summary.utilization = mean(utilizations);
  const double whole = all.own + all.communication + all.wait + all.rebalancing;
  summary.time_shares = {.own = ratio(all.own, whole),
                         .communication = ratio(all.communication, whole),
                         .wait = ratio(all.wait, whole),
                         .rebalancing = ratio(all.rebalancing, whole)};
}

std::vector<WorkerSummary> summarise_workers(const RunTrace& run) {
  std::vector<WorkerSummary> summaries(run.workers.size());
  double samples = 0.0;
  double steps = 0.0;
  for (const EpochTrace& epoch : run.epochs) {
    std::int64_t most_steps = 0;
    for (const WorkerEpoch& worker : epoch.workers) {
      most_steps = std::max(most_steps, worker.steps);
      samples += static_cast<double>(worker.samples.count());
    }
    const auto weight_of_epoch = static_cast<double>(most_steps);
    steps += weight_of_epoch;
    for (std::size_t k = 0; k < epoch.workers.size(); ++k) {
      const WorkerEpoch& worker = epoch.workers[k];
      summaries[k].idle_share += nanoseconds(worker.wait) + nanoseconds(epoch.rebalancing);
      summaries[k].sample_share += static_cast<double>(worker.samples.count());
      summaries[k].weight_share += worker.weight * weight_of_epoch;
    }
  }
  for (WorkerSummary& worker : summaries) {
    worker.idle_share = ratio(worker.idle_share, nanoseconds(run.total()));
    worker.sample_share = ratio(worker.sample_share, samples);
    worker.weight_share = ratio(worker.weight_share, steps);
  }
  return summaries;
}

/// Half the differences between shares of gradient weight and shares of samples, epoch by epoch.
double weight_bias_of(const RunTrace& run) {
  std::vector<double> biases;
  for (const EpochTrace& epoch : run.epochs) {
    double difference = 0.0;
    for (const WorkerEpoch& worker : epoch.workers) {
      difference += std::abs(worker.weight - worker.share);
    }
    biases.push_back(difference / 2.0);
  }
  return biases.empty() ? 0.0 : mean(biases);
}

/// What describes one run describes the first repeat.
void summarise_first(const RunTrace& first, PolicySummary& summary) {
  summary.epochs = first.epochs;
  summary.deadlocks = first.deadlocks;
  summary.workers = summarise_workers(first);
  summary.weight_bias = weight_bias_of(first);
  for (const EpochTrace& epoch : first.epochs) {
    summary.samples_lost += epoch.lost.count();
    summary.resizings += epoch.resizings;
  }
  if (first.deadlocks.empty() || first.epochs.empty()) return;
  const auto earliest = std::ranges::min_element(first.deadlocks, {}, &Deadlock::at);
  const Span until_then = earliest->at - first.epochs.front().begin;
  summary.deadlock_cost_s = (to_seconds(until_then) + collective_timeout).count();
}

PolicySummary summarise_policy(const PolicyRuns& policy, const std::vector<double>& baselines_s) {
  PolicySummary summary{.label = policy.label,
                        .global_batch = policy.global_batch,
                        .rebalance_cost = policy.rebalance_cost,
                        .observed_timing = policy.observed_timing,
                        .total_time_s = {},
                        .total_time_values_s = totals_s(policy),
                        .saving = {},
                        .time_shares = {},
                        .workers = {},
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
      check(run.epochs.size() == baseline.repeats.front().epochs.size(),
            "all runs have as many epochs");
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
