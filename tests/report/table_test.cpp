#include "sim/report/table.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <vector>

#include "tests/catch.hpp"
#include "tests/report/sample_runs.hpp"

using namespace dbsim;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream{text};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string table_of(const RunSet& runs) { return results_table(summarise(runs), {}); }

}  // namespace

TEST_CASE("a small run set prints as this", "[table]") {
  CHECK(table_of(sample::small_run_set()) ==
        R"(Two and a slow one
3 workers, 2 epochs, global batch 12, 2 repeats from seed 7

policy  total  saving               speed-up  epoch 0  epoch 1  busy
            s  [95 % interval]         times        s        s     %
--------------------------------------------------------------------
fixed    2.20  baseline                 1.00    1.100    1.100  54.5
dbs      1.61  26.8 % [21.0, 32.6]      1.37    1.100    0.500  62.3

Batches in the last epoch (first repeat)
  fixed  all 3 workers: 4
  dbs    fast/0-1: 5, slow: 2

dbs saves 26.8 % of the training time of fixed (95 % interval 21.0 to 32.6):
1.61 s instead of 2.2 s.

where the time goes  own work  communication  waiting
-----------------------------------------------------
fixed                  54.5 %          9.1 %   36.4 %
dbs                    62.3 %         12.4 %   25.3 %

Under fixed, workers spend 36 % of their time waiting for slow; under dbs 25 %.
)");
}

TEST_CASE("changes of batches are said where they are many or cost time", "[table]") {
  RunSet runs = sample::small_run_set();
  EpochTrace& last = runs.policies[1].repeats[0].epochs.back();
  last.resizings = 1;
  CHECK(table_of(runs).find("Local batches change") == std::string::npos);  // once in two epochs
  last.resizings = 1'761;
  CHECK(table_of(runs).find("- Local batches change 1,761 times under dbs.") != std::string::npos);
  CHECK(table_of(runs).find("rebalancing") == std::string::npos);
  last.resizings = 1;
  last.rebalancing = std::chrono::milliseconds{500};
  last.end += last.rebalancing;
  const std::string text = table_of(runs);
  CHECK(text.find("communication  waiting  rebalancing") != std::string::npos);
  // 0.5 s of 1.6 + 1.62 + 0.5 s.
  CHECK(text.find("- Local batches change 1 time under dbs (13.4 % of the time).") !=
        std::string::npos);
}

TEST_CASE("who goes by observed times is named", "[table]") {
  RunSet runs = sample::small_run_set();
  CHECK(table_of(runs).find("observed") == std::string::npos);
  runs.policies[1].observed_timing = true;
  CHECK(table_of(runs).find("- dbs goes by observed times, in which waiting cannot be told") !=
        std::string::npos);
}

TEST_CASE("gradients that weigh otherwise than their samples are said", "[table]") {
  RunSet runs = sample::small_run_set();
  for (EpochTrace& epoch : runs.policies[1].repeats[0].epochs) {
    for (WorkerEpoch& worker : epoch.workers) worker.weight = 1.0 / 3.0;
  }
  // Epoch 0 has equal batches; 5, 5 and 2 of 12 are 1/6 away from a third each.
  CHECK(table_of(runs).find("- dbs: 8.3 % of the gradients' weight lies with other workers") !=
        std::string::npos);
}

TEST_CASE("a policy that hangs is marked and explained", "[table]") {
  const std::string text = table_of(sample::four_cards());
  CHECK(text.find("\nas published*  ") != std::string::npos);
  CHECK(text.find("\nNotes\n* as published would hang in epoch 3") != std::string::npos);
}

TEST_CASE("every line fits in 80 columns, and in whatever is wider", "[table]") {
  for (const RunSet& runs :
       {sample::small_run_set(), sample::four_cards(), sample::many_workers(1000)}) {
    for (const int width : {80, 120}) {
      for (const std::string& line : lines_of(results_table(summarise(runs), {.width = width}))) {
        CHECK(display_width(line) <= static_cast<std::size_t>(width));
      }
    }
  }
}

TEST_CASE("a long label gives way to the numbers", "[table]") {
  RunSet runs = sample::small_run_set();
  runs.policies.at(1).label = "a label that nobody should have given to any policy at all, really";
  for (const std::string& line : lines_of(table_of(runs))) CHECK(display_width(line) <= 80);
}

TEST_CASE("a thousand workers take fewer than 60 lines", "[table]") {
  CHECK(lines_of(table_of(sample::many_workers(1000))).size() < 60);
}

TEST_CASE("the table is plain ASCII, coloured only on request", "[table]") {
  const Results results = summarise(sample::four_cards());
  const auto plain = [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); };
  const std::string uncoloured = results_table(results, {.colour = false});
  CHECK(std::ranges::all_of(uncoloured, plain));
  std::string coloured = results_table(results, {.colour = true});
  CHECK(coloured.find("\x1b[32m50.5 %") != std::string::npos);
  for (std::size_t at = coloured.find('\x1b'); at != std::string::npos;
       at = coloured.find('\x1b')) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  CHECK(coloured == uncoloured);
}

TEST_CASE("the rows stand in the order of the policies", "[table]") {
  RunSet runs = sample::four_cards();
  const std::vector<std::string> before = lines_of(table_of(runs));
  std::ranges::reverse(runs.policies);
  const std::vector<std::string> after = lines_of(table_of(runs));
  REQUIRE(before.size() == after.size());
  for (std::size_t i = 0; i < 4; ++i) CHECK(before.at(6 + i) == after.at(9 - i));
}

TEST_CASE("a column has one unit that suits its largest time", "[table]") {
  const auto row_of_fixed = [](std::int64_t factor) {
    const std::string text = table_of(sample::slowed_down(sample::small_run_set(), factor));
    const std::vector<std::string> lines = lines_of(text);
    return lines.at(4).substr(8, 5) + '|' + lines.at(6).substr(8, 5);
  };
  CHECK(row_of_fixed(1) == "    s| 2.20");
  CHECK(row_of_fixed(500) == "  min| 18.3");
  CHECK(row_of_fixed(10'000) == "    h| 6.11");
  CHECK(row_of_fixed(1'000'000) == "    h|  611");
}

TEST_CASE("a single epoch is not shown twice", "[table]") {
  RunSet runs = sample::small_run_set();
  for (PolicyRuns& policy : runs.policies) {
    for (RunTrace& run : policy.repeats) run.epochs.resize(1);
  }
  const std::string text = table_of(runs);
  CHECK(text.find("epoch 0") == std::string::npos);
  CHECK(text.find("1 epoch,") != std::string::npos);
}
