#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "sim/report/results_json.hpp"
#include "tests/catch.hpp"
#include "tests/report/sample_runs.hpp"

using namespace dbsim;

TEST_CASE("results.json reads as documented", "[json]") {
  RunSet runs = sample::small_run_set();
  for (PolicyRuns& policy : runs.policies) policy.repeats.pop_back();
  runs.policies.erase(runs.policies.begin());
  runs.baseline = "dbs";
  PolicyRuns& only = runs.policies.front();
  only.repeats.front().epochs.erase(only.repeats.front().epochs.begin());
  only.repeats.front().deadlocks.push_back(
      {.at = only.repeats.front().epochs.front().begin + std::chrono::milliseconds{250},
       .epoch = 0,
       .step = 1,
       .waiting = {0, 1},
       .missing = {2}});
  only.rebalance_cost = Seconds{0.25};
  only.warnings.push_back("mind the \"gap\"");
  CHECK(results_json(summarise(runs)) == R"({
  "schema": "dbsim.results/1",
  "scenario": "Two and a slow one",
  "seed": 7,
  "repeats": 1,
  "baseline": "dbs",
  "workers": ["fast/0", "fast/1", "slow"],
  "policies": [
    {
      "label": "dbs",
      "global_batch": 12,
      "total_time_s": {"mean": 0.5, "ci95": null, "values": [0.5]},
      "saving": {"mean": 0, "ci95": null},
      "speedup": 1,
      "throughput_samples_per_s": 24,
      "utilization": 0.8,
      "time_shares": {"own": 0.8, "communication": 0.2, "wait": 0, "rebalancing": 0},
      "timing": "own",
      "rebalance_cost_s": 0.25,
      "resizings": 0,
      "weight_bias": 0,
      "workers": [
        {"worker": "fast/0", "idle_share": 0, "sample_share": 0.4166666666666667, "weight_share": 0.4166666666666667},
        {"worker": "fast/1", "idle_share": 0, "sample_share": 0.4166666666666667, "weight_share": 0.4166666666666667},
        {"worker": "slow", "idle_share": 0, "sample_share": 0.16666666666666666, "weight_share": 0.16666666666666666}
      ],
      "samples_lost": 0,
      "deadlocks": [
        {"epoch": 0, "step": 1, "at_s": 0.25, "waiting": ["fast/0", "fast/1"], "missing": ["slow"]}
      ],
      "deadlock_cost_s": 1800.25,
      "warnings": ["mind the \"gap\""],
      "epochs": [
        {
          "epoch": 0,
          "time_s": 0.5,
          "resizings": 0,
          "rebalancing_s": 0,
          "workers": [
            {"worker": "fast/0", "batch": 5, "share": 0.4166666666666667, "weight": 0.4166666666666667, "steps": 1, "samples": 5, "own_s": 0.4, "communication_s": 0.1, "wait_s": 0},
            {"worker": "fast/1", "batch": 5, "share": 0.4166666666666667, "weight": 0.4166666666666667, "steps": 1, "samples": 5, "own_s": 0.4, "communication_s": 0.1, "wait_s": 0},
            {"worker": "slow", "batch": 2, "share": 0.16666666666666666, "weight": 0.16666666666666666, "steps": 1, "samples": 2, "own_s": 0.4, "communication_s": 0.1, "wait_s": 0}
          ]
        }
      ]
    }
  ]
}
)");
}

TEST_CASE("results.json is JSON, and the same each time", "[json]") {
  for (const RunSet& runs :
       {sample::small_run_set(), sample::four_cards(), sample::many_workers(100)}) {
    const Results results = summarise(runs);
    const std::string text = results_json(results);
    CHECK(text == results_json(summarise(runs)));
    const nlohmann::json json = nlohmann::json::parse(text);
    REQUIRE(json.at("policies").size() == results.policies.size());
    for (std::size_t i = 0; i < results.policies.size(); ++i) {
      const nlohmann::json& policy = json.at("policies").at(i);
      CHECK(policy.at("label") == results.policies[i].label);
      CHECK(policy.at("total_time_s").at("mean") == results.policies[i].total_time_s.mean);
      CHECK(policy.at("epochs").size() == results.policies[i].epochs.size());
      CHECK(policy.at("saving").at("ci95").is_null() == (results.repeats == 1));
    }
  }
}
