#include "sim/report/results.hpp"

#include <algorithm>
#include <cstdint>

#include "sim/base/check.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"
#include "tests/report/sample_runs.hpp"

using namespace dbsim;

namespace {

/// Three policies, three repeats, whatever comes.
RunSet random_run_set(std::uint64_t seed) {
  RandomStream random = RandomStreams{seed}.stream("report test");
  const auto workers = static_cast<std::size_t>(random.whole(1, 6));
  const auto epochs = random.whole(1, 5);
  RunSet runs{.scenario = "random", .seed = seed, .baseline = "b", .policies = {}};
  std::vector<std::string> names;
  for (std::size_t k = 0; k < workers; ++k) names.push_back("w/" + std::to_string(k));
  for (const char* label : {"a", "b", "c"}) {
    PolicyRuns policy{.label = label, .global_batch = Samples{64}, .repeats = {}, .warnings = {}};
    for (int repeat = 0; repeat < 3; ++repeat) {
      RunTrace run{.workers = names, .epochs = {}, .deadlocks = {}};
      for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
        std::vector<sample::Row> rows;
        for (std::size_t k = 0; k < workers; ++k) {
          rows.push_back({.batch = random.whole(1, 99), .own_ms = random.whole(1, 5000)});
        }
        sample::add_epoch(run, rows, random.whole(0, 900));
      }
      policy.repeats.push_back(std::move(run));
    }
    runs.policies.push_back(std::move(policy));
  }
  return runs;
}

constexpr std::uint64_t seeds = 50;

}  // namespace

TEST_CASE("a small run set gives the numbers worked out by hand", "[results]") {
  const Results results = summarise(sample::small_run_set());
  CHECK(results.repeats == 2);
  CHECK(results.workers == std::vector<std::string>{"fast/0", "fast/1", "slow"});
  const PolicySummary& dbs = results.policies.at(1);
  CHECK(dbs.total_time_values_s.at(0) == Approx(1.6));
  CHECK(dbs.total_time_values_s.at(1) == Approx(1.62));
  CHECK(dbs.total_time_s.mean == Approx(1.61));
  CHECK(dbs.saving.mean == Approx((0.6 / 2.2 + 0.58 / 2.2) / 2.0));
  CHECK(dbs.speedup == Approx(2.2 / 1.61));
  CHECK(dbs.throughput == Approx((24.0 / 1.6 + 24.0 / 1.62) / 2.0));
  const PolicySummary& fixed = results.policies.at(0);
  CHECK(fixed.utilization == Approx(2.0 * (0.4 + 0.4 + 1.0) / (3.0 * 2.2)));
  CHECK(fixed.time_shares.wait == Approx(2.4 / 6.6));
  CHECK(fixed.time_shares.communication == Approx(0.6 / 6.6));
}

TEST_CASE("the baseline saves exactly nothing", "[results]") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Results results = summarise(random_run_set(seed));
    const PolicySummary& baseline = results.policies.at(1);
    CHECK(baseline.saving == Estimate{.mean = 0.0, .ci95 = Interval{0.0, 0.0}});
    CHECK(baseline.speedup == 1.0);
  }
}

TEST_CASE("the parts of the time add up to all of it", "[results]") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    for (const PolicySummary& policy : summarise(random_run_set(seed)).policies) {
      const TimeShares& shares = policy.time_shares;
      CHECK(shares.own + shares.communication + shares.wait == Approx(1.0).epsilon(1e-12));
      CHECK(std::min({shares.own, shares.communication, shares.wait}) >= 0.0);
      CHECK(policy.utilization > 0.0);
      CHECK(policy.utilization <= 1.0);
    }
  }
}

TEST_CASE("a clock that runs slower changes no saving", "[results]") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const RunSet runs = random_run_set(seed);
    const Results before = summarise(runs);
    const Results after = summarise(sample::slowed_down(runs, 3));
    for (std::size_t i = 0; i < before.policies.size(); ++i) {
      const PolicySummary& a = before.policies[i];
      const PolicySummary& b = after.policies[i];
      CHECK(b.saving.mean == Approx(a.saving.mean).margin(1e-12));
      CHECK(b.saving.ci95->low == Approx(a.saving.ci95->low).margin(1e-12));
      CHECK(b.speedup == Approx(a.speedup));
      CHECK(b.total_time_s.mean == Approx(3.0 * a.total_time_s.mean));
      CHECK(b.throughput == Approx(a.throughput / 3.0));
    }
  }
}

TEST_CASE("the order of the policies decides the order of the rows and nothing else", "[results]") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    RunSet runs = random_run_set(seed);
    const Results before = summarise(runs);
    std::ranges::reverse(runs.policies);
    const Results after = summarise(runs);
    for (std::size_t i = 0; i < before.policies.size(); ++i) {
      const PolicySummary& a = before.policies[i];
      const PolicySummary& b = after.policies[before.policies.size() - 1 - i];
      CHECK(a.label == b.label);
      CHECK(a.saving == b.saving);
      CHECK(a.total_time_s == b.total_time_s);
      CHECK(a.utilization == b.utilization);
    }
  }
}

TEST_CASE("one repeat has no interval", "[results]") {
  const Results results = summarise(sample::many_workers(4));
  CHECK(results.repeats == 1);
  CHECK_FALSE(results.policies.at(1).saving.ci95);
  CHECK_FALSE(results.policies.at(1).total_time_s.ci95);
}

TEST_CASE("a hang costs the time until then and the collective's time-out", "[results]") {
  const Results results = summarise(sample::four_cards());
  // 499 s, then three epochs of 219 s, half a second before the end; 1,800 s of time-out.
  CHECK(results.policies.at(2).deadlock_cost_s == Approx(499.0 + 3 * 219.0 - 0.5 + 1800.0));
  CHECK(results.policies.at(2).samples_lost == 30);
  CHECK(results.policies.at(1).deadlock_cost_s == 0.0);
}

TEST_CASE("a hang is dated from the run's begin", "[results]") {
  RunSet runs = sample::four_cards();
  for (RunTrace& run : runs.policies.at(2).repeats) {
    for (EpochTrace& epoch : run.epochs) {
      epoch.begin += std::chrono::hours{1};
      epoch.end += std::chrono::hours{1};
    }
    run.deadlocks.front().at += std::chrono::hours{1};
  }
  CHECK(summarise(runs).policies.at(2).deadlock_cost_s == Approx(2955.5));
}

TEST_CASE("runs that cannot be compared are refused", "[results]") {
  RunSet no_baseline = sample::small_run_set();
  no_baseline.baseline = "another";
  CHECK_THROWS_AS(summarise(no_baseline), BrokenAssumption);
  RunSet unequal = sample::small_run_set();
  unequal.policies.back().repeats.pop_back();
  CHECK_THROWS_AS(summarise(unequal), BrokenAssumption);
  RunSet other_workers = sample::small_run_set();
  other_workers.policies.back().repeats.back().workers.back() = "stranger";
  CHECK_THROWS_AS(summarise(other_workers), BrokenAssumption);
  RunSet fewer_epochs = sample::small_run_set();
  fewer_epochs.policies.back().repeats.back().epochs.pop_back();
  CHECK_THROWS_AS(summarise(fewer_epochs), BrokenAssumption);
}

TEST_CASE("of each worker: how long it was idle, and whose samples and gradients counted",
          "[results]") {
  // Two epochs of 1 s and 0.1 s of exchange, then 0.4 s in which batches change.
  RunTrace run =
      sample::run_of({"fast", "slow"}, {{{6, 400}, {2, 1000}}, {{6, 400}, {2, 1000}}}, 100);
  EpochTrace& last = run.epochs.back();
  last.resizings = 1;
  last.rebalancing = std::chrono::milliseconds{400};
  last.end += last.rebalancing;
  for (WorkerEpoch& worker : last.workers) worker.weight = 0.5;  // was 0.75 and 0.25
  RunSet runs{.scenario = "", .seed = 0, .baseline = "only", .policies = {}};
  runs.policies.push_back({"only", Samples{8}, {run}, {}});
  const PolicySummary summary = summarise(runs).policies.front();
  CHECK(summary.resizings == 1);
  CHECK(summary.workers[0].idle_share == Approx((0.6 + 0.6 + 0.4) / 2.6));
  CHECK(summary.workers[1].idle_share == Approx(0.4 / 2.6));
  CHECK(summary.workers[0].sample_share == Approx(0.75));
  CHECK(summary.workers[0].weight_share == Approx(0.625));
  CHECK(summary.weight_bias == Approx(0.25 / 2));  // none in one epoch, a quarter in the other
  const TimeShares& shares = summary.time_shares;
  CHECK(shares.rebalancing == Approx(0.8 / 5.2));
  CHECK(shares.own + shares.communication + shares.wait + shares.rebalancing == Approx(1.0));
}
