#include "tests/report/sample_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dbsim::sample {

namespace {

Span milliseconds(std::int64_t count) { return std::chrono::milliseconds{count}; }

PolicyRuns policy(std::string label, std::vector<RunTrace> repeats) {
  return {.label = std::move(label),
          .global_batch = Samples{512},
          .repeats = std::move(repeats),
          .warnings = {}};
}

}  // namespace

void add_epoch(RunTrace& run, const std::vector<Row>& rows, std::int64_t communication_ms) {
  const Instant begin = run.epochs.empty() ? Instant{} : run.epochs.back().end;
  const std::int64_t longest = std::ranges::max_element(rows, {}, &Row::own_ms)->own_ms;
  double all = 0.0;
  for (const Row& row : rows) all += static_cast<double>(row.batch);
  EpochTrace epoch{.begin = begin,
                   .end = begin + milliseconds(longest + communication_ms),
                   .lost = {},
                   .workers = {}};
  for (const Row& row : rows) {
    epoch.workers.push_back({.batch = Samples{row.batch},
                             .share = static_cast<double>(row.batch) / all,
                             .weight = static_cast<double>(row.batch) / all,
                             .steps = 1,
                             .samples = Samples{row.batch},
                             .own = milliseconds(row.own_ms),
                             .communication = milliseconds(communication_ms),
                             .wait = milliseconds(longest - row.own_ms)});
  }
  run.epochs.push_back(std::move(epoch));
}

RunTrace run_of(const std::vector<std::string>& workers,
                const std::vector<std::vector<Row>>& epochs, std::int64_t communication_ms) {
  RunTrace run;
  run.workers = workers;
  for (const std::vector<Row>& rows : epochs) add_epoch(run, rows, communication_ms);
  return run;
}

RunSet small_run_set() {
  const std::vector<std::string> workers{"fast/0", "fast/1", "slow"};
  const std::vector<Row> even{{4, 400}, {4, 400}, {4, 1000}};
  const std::vector<Row> moved{{5, 400}, {5, 400}, {2, 400}};
  const std::vector<Row> moved_later{{5, 400}, {5, 400}, {2, 420}};
  RunSet runs{.scenario = "Two and a slow one", .seed = 7, .baseline = "fixed", .policies = {}};
  runs.policies.push_back(
      policy("fixed", {run_of(workers, {even, even}, 100), run_of(workers, {even, even}, 100)}));
  runs.policies.push_back(policy(
      "dbs", {run_of(workers, {even, moved}, 100), run_of(workers, {even, moved_later}, 100)}));
  for (PolicyRuns& each : runs.policies) each.global_batch = Samples{12};
  return runs;
}

RunSet four_cards() {
  const std::vector<std::string> workers{"fast/0", "fast/1", "fast/2", "slow/0"};
  RunSet runs{.scenario = "Three fast cards and a slow one",
              .seed = 7,
              .baseline = "fixed",
              .policies = {policy("fixed", {}), policy("dbs", {}), policy("as published", {}),
                           policy("oracle", {})}};
  for (std::int64_t repeat = 0; repeat < 5; ++repeat) {
    const std::int64_t noise = 300 * repeat;
    const std::vector<Row> even{
        {128, 151'000}, {128, 152'000}, {128, 150'500}, {128, 475'000 + noise}};
    const std::vector<Row> moved{
        {163, 193'100}, {163, 193'700}, {164, 195'000 + noise / 3}, {22, 191'000}};
    const std::vector<Row> best{
        {163, 193'100}, {162, 192'500}, {163, 192'000 + noise / 3}, {24, 193'000}};
    const auto epochs = [](const std::vector<Row>& first, const std::vector<Row>& later) {
      std::vector<std::vector<Row>> all(10, later);
      all.front() = first;
      return all;
    };
    runs.policies[0].repeats.push_back(run_of(workers, epochs(even, even), 24'000));
    runs.policies[1].repeats.push_back(run_of(workers, epochs(even, moved), 24'000));
    RunTrace published = run_of(workers, epochs(even, moved), 24'000);
    for (EpochTrace& epoch : published.epochs) epoch.lost = Samples{3};
    published.deadlocks.push_back({.at = published.epochs[3].end - milliseconds(500),
                                   .epoch = 3,
                                   .step = 99,
                                   .waiting = {0, 1, 2},
                                   .missing = {3}});
    runs.policies[2].repeats.push_back(std::move(published));
    runs.policies[3].repeats.push_back(run_of(workers, epochs(best, best), 24'000));
  }
  return runs;
}

RunSet many_workers(std::size_t count) {
  std::vector<std::string> workers;
  std::vector<Row> even;
  std::vector<Row> moved;
  for (std::size_t i = 0; i < count; ++i) {
    const bool fast = i < count / 2;
    const auto wobble = static_cast<std::int64_t>(i * 7 % 5);
    workers.push_back(fast ? fmt::format("fast/{}", i) : fmt::format("slow/{}", i - count / 2));
    even.push_back({16, fast ? 1000 + wobble : 3000 + wobble});
    moved.push_back({(fast ? 22 : 6) + wobble, 1500 + wobble});
  }
  RunSet runs{.scenario = "Many", .seed = 1, .baseline = "fixed", .policies = {}};
  runs.policies.push_back(policy("fixed", {run_of(workers, {even, even, even}, 500)}));
  runs.policies.push_back(policy("dbs", {run_of(workers, {even, moved, moved}, 500)}));
  for (PolicyRuns& each : runs.policies) each.global_batch = Samples{16'000};
  return runs;
}

RunSet slowed_down(RunSet runs, std::int64_t factor) {
  const auto later = [factor](Instant at) { return Instant{at.time_since_epoch() * factor}; };
  for (PolicyRuns& each : runs.policies) {
    for (RunTrace& run : each.repeats) {
      for (EpochTrace& epoch : run.epochs) {
        epoch.begin = later(epoch.begin);
        epoch.end = later(epoch.end);
        for (WorkerEpoch& worker : epoch.workers) {
          worker.own *= factor;
          worker.communication *= factor;
          worker.wait *= factor;
        }
      }
    }
  }
  return runs;
}

}  // namespace dbsim::sample
