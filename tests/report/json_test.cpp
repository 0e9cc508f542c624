#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "sim/base/check.hpp"
#include "sim/report/json_writer.hpp"
#include "sim/report/results_json.hpp"
#include "tests/catch.hpp"
#include "tests/report/sample_runs.hpp"

using namespace dbsim;
using Layout = JsonWriter::Layout;

namespace {

std::string number_text(double value) {
  JsonWriter json;
  json.number(value);
  return std::move(json).finish();
}

}  // namespace

TEST_CASE("objects and arrays nest, by line or by row", "[json]") {
  JsonWriter json;
  json.open_object(Layout::lines);
  json.key("empty");
  json.open_array(Layout::lines);
  json.close();
  json.key("row");
  json.open_array(Layout::row);
  json.whole(-1);
  json.open_object(Layout::lines);  // inside a row all is on one line
  json.key("a");
  json.null();
  json.close();
  json.close();
  json.key("lines");
  json.open_array(Layout::lines);
  json.natural(18446744073709551615U);
  json.text("x");
  json.close();
  json.close();
  const std::string text = std::move(json).finish();
  CHECK(text ==
        "{\n"
        "  \"empty\": [],\n"
        "  \"row\": [-1, {\"a\": null}],\n"
        "  \"lines\": [\n"
        "    18446744073709551615,\n"
        "    \"x\"\n"
        "  ]\n"
        "}\n");
}

TEST_CASE("numbers are as short as reading them back allows", "[json]") {
  CHECK(number_text(0.1) == "0.1\n");
  CHECK(number_text(100000.0) == "100000\n");
  CHECK(number_text(-0.0) == "0\n");
  CHECK(number_text(1e300) == "1e+300\n");
  CHECK(number_text(0.1 + 0.2) == "0.30000000000000004\n");
  CHECK(number_text(std::numeric_limits<double>::infinity()) == "null\n");
  for (const double value : {1.0 / 3.0, 5e-324, 1.7976931348623157e308, 123456.789e-9}) {
    CHECK(nlohmann::json::parse(number_text(value)).get<double>() == value);
  }
}

TEST_CASE("any text comes back from JSON as it went in", "[json]") {
  const std::string text =
      "quote \" back \\ line \n tab \t bell \a nothing \x01 accent \xc3\xa9 end";
  JsonWriter json;
  json.text(text);
  const std::string written = std::move(json).finish();
  CHECK(nlohmann::json::parse(written).get<std::string>() == text);
}

TEST_CASE("JSON that is not complete is refused", "[json]") {
  JsonWriter json;
  json.open_object(Layout::lines);
  json.key("a");
  CHECK_THROWS_AS(json.close(), BrokenAssumption);
  JsonWriter open;
  open.open_array(Layout::row);
  CHECK_THROWS_AS(std::move(open).finish(), BrokenAssumption);
}

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
      "time_shares": {"own": 0.8, "communication": 0.2, "wait": 0},
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
          "workers": [
            {"worker": "fast/0", "batch": 5, "share": 0.4166666666666667, "steps": 1, "samples": 5, "own_s": 0.4, "communication_s": 0.1, "wait_s": 0},
            {"worker": "fast/1", "batch": 5, "share": 0.4166666666666667, "steps": 1, "samples": 5, "own_s": 0.4, "communication_s": 0.1, "wait_s": 0},
            {"worker": "slow", "batch": 2, "share": 0.16666666666666666, "steps": 1, "samples": 2, "own_s": 0.4, "communication_s": 0.1, "wait_s": 0}
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
