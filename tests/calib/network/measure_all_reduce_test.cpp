#include "calib/network/measure_all_reduce.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "calib/network/median_interval.hpp"
#include "sim/base/check.hpp"
#include "tests/calib/network/simulated_group.hpp"
#include "tests/catch.hpp"

using namespace dbsim;
using namespace dbsim::calib;
using dbsim::calib::test::SimulatedGroup;

TEST_CASE("sizes grow by the factor, in whole floats, and end with the last", "[network]") {
  using Sizes = std::vector<std::int64_t>;
  CHECK(message_sizes(8, 64, 2.0) == Sizes{8, 16, 32, 64});
  CHECK(message_sizes(4, 100, 5.0) == Sizes{4, 20, 100});
  CHECK(message_sizes(4, 16, 1.5) == Sizes{4, 8, 12, 16});  // 4, 6, 9, 13.5: rounded, each once
  CHECK(message_sizes(8, 8, 2.0) == Sizes{8});
  CHECK_THROWS_AS(message_sizes(2, 8, 2.0), BrokenAssumption);
}

TEST_CASE("without noise, the least number of visits to each size is enough", "[network]") {
  SimulatedGroup group;
  NetworkMeasureOptions options;
  options.sizes = message_sizes(8, 1 << 20, 8.0);
  const auto samples = measure_all_reduce(group, options, group.surroundings());
  REQUIRE(samples.size() == options.sizes.size());
  for (const SizeSamples& size : samples) {
    // One to look, then 4 visits of 20 ms, 50 repetitions at most.
    const double time = 1e-5 + static_cast<double>(size.bytes) / 1e9;
    CHECK(size.seconds.size() == 1 + 4 * std::min<std::size_t>(50, std::lround(0.02 / time)));
    for (const double seconds : size.seconds) CHECK(seconds == Approx(time));
  }
}

TEST_CASE("noisy sizes are visited until their medians are known", "[network]") {
  SimulatedGroup group;
  group.noise = 0.5;
  NetworkMeasureOptions options;
  options.sizes = message_sizes(8, 1 << 20, 8.0);
  options.budget_s = 1e9;
  for (const SizeSamples& size : measure_all_reduce(group, options, group.surroundings())) {
    const OperationTime time = summary_of(size.seconds);
    CHECK(*relative_half_width(time) <= options.precision);
    const double truth = 1e-5 + static_cast<double>(size.bytes) / 1e9;
    CHECK(time.median == Approx(truth).epsilon(0.06));
  }
}

TEST_CASE("the budget ends measuring, but no size is left without a time", "[network]") {
  SimulatedGroup group;
  group.noise = 2.0;
  NetworkMeasureOptions options;
  options.sizes = message_sizes(8, 1 << 20, 8.0);
  options.budget_s = 0.5;
  const auto samples = measure_all_reduce(group, options, group.surroundings());
  REQUIRE(samples.size() == options.sizes.size());
  for (const SizeSamples& size : samples) CHECK_FALSE(size.seconds.empty());
  CHECK(group.now - 100.0 < 1.0);
}

TEST_CASE("sizes that would eat the budget are left out, two stay", "[network]") {
  SimulatedGroup group;
  group.bandwidth = 1e6;
  NetworkMeasureOptions options;
  options.sizes = message_sizes(1 << 10, 1 << 30, 4.0);  // 1 ms to 18 min
  options.budget_s = 10.0;
  const auto samples = measure_all_reduce(group, options, group.surroundings());
  // 4 MiB twice is 8 s, past half of the budget; what came before was not.
  CHECK(samples.back().bytes == 4 << 20);
  CHECK(group.now - 100.0 < 15.0);
  options.budget_s = 1e-9;
  group.visited.clear();
  CHECK(measure_all_reduce(group, options, group.surroundings()).size() == 2);
}

TEST_CASE("sizes take turns in an order that changes", "[network]") {
  SimulatedGroup group;
  NetworkMeasureOptions options;
  options.sizes = message_sizes(8, 1 << 20, 4.0);
  (void)measure_all_reduce(group, options, group.surroundings());
  const std::size_t runs_per_round = 2 * options.sizes.size();  // a warm-up each
  REQUIRE(group.visited.size() == 5 * runs_per_round);
  std::set<std::vector<std::int64_t>> orders;
  for (std::size_t at = 0; at < group.visited.size(); at += runs_per_round) {
    std::vector<std::int64_t> order;
    for (std::size_t i = 0; i < runs_per_round; i += 2) {
      CHECK(group.repeated[at + i] == 1);  // the warm-up
      CHECK(group.visited[at + i] == group.visited[at + i + 1]);
      order.push_back(group.visited[at + i]);
    }
    orders.insert(order);
    std::ranges::sort(order);
    CHECK(order == options.sizes);
  }
  CHECK(orders.size() == 5);
}

TEST_CASE("a wrong sum ends measuring", "[network]") {
  SimulatedGroup group;
  group.wrong = {64};
  NetworkMeasureOptions options;
  options.sizes = message_sizes(8, 64, 2.0);
  CHECK_THROWS_WITH(measure_all_reduce(group, options, group.surroundings()),
                    "the all-reduce of 64 bytes left wrong sums");
}

TEST_CASE("the leader's clock decides, nobody else's", "[network]") {
  // A rank whose clock stands still, led by one that stops after 40 questions.
  SimulatedGroup group;
  group.noise = 2.0;
  int questions = 0;
  group.leader_says = [&](bool) { return ++questions <= 40; };
  NetworkMeasureOptions options;
  options.sizes = message_sizes(8, 1 << 20, 8.0);
  const double still = group.now;
  const auto samples = measure_all_reduce(
      group, options, {.now = [still] { return still; }, .stop = {}, .report = {}});
  CHECK(questions == 41);
  CHECK(samples.size() == options.sizes.size());
}

TEST_CASE("a stop ends measuring between visits; sizes not reached are not there", "[network]") {
  SimulatedGroup group;
  NetworkMeasureOptions options;
  options.sizes = message_sizes(8, 1 << 20, 8.0);
  NetworkSurroundings surroundings = group.surroundings();
  surroundings.stop = [&] { return group.visited.size() >= 6; };
  CHECK(measure_all_reduce(group, options, surroundings).size() == 3);
  CHECK(group.visited.size() == 6);
}
