#pragma once
// From traces to the numbers a person reads: totals, savings with their interval, where the time
// went.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/base/units.hpp"
#include "sim/trace/trace.hpp"

namespace dbsim {

/// Everything that was simulated: one trace per policy and repeat. Repeat r of every policy met the
/// same draws.
struct PolicyRuns {
  std::string label;
  Samples global_batch;
  std::vector<RunTrace> repeats;
  std::vector<std::string> warnings;
  Seconds rebalance_cost{};     // of one change of local batches
  bool observed_timing{false};  // it was shown whole steps in place of own work
};
struct RunSet {
  std::string scenario;  // its name
  std::uint64_t seed{};
  std::string baseline;  // label of one of the policies
  std::vector<PolicyRuns> policies;
};

/// Parts of all workers' time, adding up to 1.
struct TimeShares {
  double own{};
  double communication{};
  double wait{};
  double rebalancing{};  // while local batches changed
};

/// One worker over one run.
struct WorkerSummary {
  double idle_share{};    // of its time: waiting for others, and while batches changed
  double sample_share{};  // of the samples trained on
  double weight_share{};  // of the gradients, each step of each epoch alike
};

struct PolicySummary {
  std::string label;
  Samples global_batch;
  Seconds rebalance_cost{};
  bool observed_timing{false};
  Estimate total_time_s;
  std::vector<double> total_time_values_s;
  Estimate saving;       // 1 - T / T_baseline, paired by repeat; exactly 0 for the baseline itself
  double speedup{};      // mean T_baseline / mean T
  double throughput{};   // samples trained on per second, mean over repeats
  double utilization{};  // own time of all workers / (workers * total time)
  TimeShares time_shares;              // all repeats together
  std::int64_t resizings{};            // changes of local batches; first repeat
  std::vector<WorkerSummary> workers;  // first repeat
  double weight_bias{};  // part of the gradients' weight that is not where the samples are; same
  std::int64_t samples_lost{};      // first repeat, all epochs
  std::vector<Deadlock> deadlocks;  // first repeat
  double deadlock_cost_s{};  // time until the first deadlock and the collective's time-out; or 0
  std::vector<std::string> warnings;
  std::vector<EpochTrace> epochs;  // first repeat
};

struct Results {
  std::string scenario;
  std::uint64_t seed{};
  std::size_t repeats{};
  std::string baseline;
  std::vector<std::string> workers;
  std::vector<PolicySummary> policies;
};

/// Needs at least one policy, the baseline among them, and the same workers and numbers of epochs
/// and repeats in each.
[[nodiscard]] Results summarise(const RunSet& runs);

}  // namespace dbsim
