#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "policies/dbs.hpp"
#include "policies/oracle.hpp"
#include "sim/base/check.hpp"
#include "tests/catch.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

Whole after_times(const ClusterView& cluster, const std::vector<double>& times) {
  const std::unique_ptr<Policy> policy = make_dbs();
  const Decision start = policy->start(cluster);
  return counts_of(
      policy->after_epoch(epoch_with_times(start, times)).value_or(start).local_batches);
}

std::vector<double> random_times(RandomStream& random, std::size_t workers) {
  std::vector<double> times(workers);
  for (double& time : times) time = random.lognormal(0.8);
  return times;
}

}  // namespace

TEST_CASE("DBS starts with equal shares", "[dbs]") {
  CHECK(counts_of(make_dbs()->start(unknown_cluster(4, 512)).local_batches) == Whole(4, 128));
  CHECK(counts_of(make_dbs()->start(unknown_cluster(3, 64)).local_batches) == Whole{22, 21, 21});
}

TEST_CASE("DBS starts with shares as equal as memory allows", "[dbs]") {
  ClusterView cluster = unknown_cluster(3, 300);
  cluster.workers[1].max_batch = Samples{40};
  CHECK(counts_of(make_dbs()->start(cluster).local_batches) == Whole{130, 40, 130});
}

TEST_CASE("DBS drops no sample and weights by share", "[dbs]") {
  const Decision decision = make_dbs()->start(unknown_cluster(3, 64));
  CHECK(decision.slices.empty());
  CHECK(decision.weights.empty());
  const Decision uniform =
      make_dbs({.weights = DbsWeights::uniform})->start(unknown_cluster(4, 64));
  CHECK(uniform.weights == std::vector<double>(4, 0.25));
}

TEST_CASE("after an epoch shares are in proportion to d / t", "[dbs]") {
  CHECK(after_times(unknown_cluster(2, 96), {1.0, 2.0}) == Whole{64, 32});
  CHECK(after_times(unknown_cluster(4, 512), {1.0, 1.0, 1.0, 5.0}) == Whole{160, 160, 160, 32});
}

TEST_CASE("d and t belong to the same epoch", "[dbs]") {
  // The second worker is half as fast. Once it has half the work, equal times must keep it there.
  const std::unique_ptr<Policy> policy = make_dbs();
  const Decision start = policy->start(unknown_cluster(2, 96));
  const auto second = policy->after_epoch(epoch_with_times(start, {1.0, 2.0}));
  REQUIRE(second);
  CHECK_FALSE(policy->after_epoch(epoch_with_times(*second, {1.5, 1.5})));
}

TEST_CASE("DBS counts own time only, neither communication nor waiting", "[dbs]") {
  const std::unique_ptr<Policy> policy = make_dbs();
  const Decision start = policy->start(unknown_cluster(2, 96));
  std::vector<Measurement> epoch = epoch_with_times(start, {1.0, 1.0});
  epoch[0].communication = Seconds{9.0};
  epoch[1].wait = Seconds{7.0};
  CHECK_FALSE(policy->after_epoch(epoch));
}

TEST_CASE("no worker gets less than one sample or more than its memory holds", "[dbs]") {
  ClusterView cluster = unknown_cluster(3, 60);
  cluster.workers[1].max_batch = Samples{30};
  CHECK(after_times(cluster, {1.0, 0.1, 1e6}) == Whole{29, 30, 1});
}

TEST_CASE("what memory cannot hold goes to the others in proportion to their speeds", "[dbs]") {
  ClusterView cluster = unknown_cluster(4, 512);
  for (std::size_t i = 0; i < 2; ++i) cluster.workers[i].max_batch = Samples{128};
  // Speeds 6 6 6 1 would give 162 162 162 27; the 256 left for the last two are shared 6 to 1.
  CHECK(after_times(cluster, {1.0, 1.0, 1.0, 6.0}) == Whole{128, 128, 219, 37});
}

TEST_CASE("an own time that cannot be true leaves the worker's speed as it was", "[dbs]") {
  for (const double nonsense : {0.0, -1.0, not_a_number, infinite, 1e-300, 1e300}) {
    INFO(nonsense);
    const std::unique_ptr<Policy> policy = make_dbs();
    const Decision start = policy->start(unknown_cluster(2, 96));
    const auto second = policy->after_epoch(epoch_with_times(start, {1.0, 2.0}));
    REQUIRE(second);
    // The first worker's speed is seen to be the same again; the second one's is remembered.
    CHECK_FALSE(policy->after_epoch(epoch_with_times(*second, {64.0 / 48.0, nonsense})));
  }
}

TEST_CASE("an epoch without samples leaves the worker's speed as it was", "[dbs]") {
  const std::unique_ptr<Policy> policy = make_dbs();
  const Decision start = policy->start(unknown_cluster(2, 96));
  const auto second = policy->after_epoch(epoch_with_times(start, {1.0, 2.0}));
  REQUIRE(second);
  std::vector<Measurement> idle = epoch_with_times(*second, {64.0 / 48.0, 3.0});
  idle[1].samples = Samples{0};
  CHECK_FALSE(policy->after_epoch(idle));
}

TEST_CASE("a worker that was never seen counts as fast as the mean of the others", "[dbs]") {
  CHECK(after_times(unknown_cluster(3, 90), {1.0, 2.0, 0.0}) == Whole{40, 20, 30});
  CHECK(after_times(unknown_cluster(3, 90), {infinite, not_a_number, 0.0}) == Whole{30, 30, 30});
}

TEST_CASE("multiplying all times changes nothing", "[dbs]") {
  RandomStream random = RandomStreams{61}.stream("dbs", "scale");
  for (int trial = 0; trial < 200; ++trial) {
    const ClusterView cluster = unknown_cluster(8, 512);
    std::vector<double> times = random_times(random, 8);
    const Whole batches = after_times(cluster, times);
    const double factor = random.lognormal(3.0);
    for (double& time : times) time *= factor;
    CHECK(after_times(cluster, times) == batches);
  }
}

TEST_CASE("renumbering the workers renumbers the batches", "[dbs]") {
  RandomStream random = RandomStreams{62}.stream("dbs", "permutation");
  for (int trial = 0; trial < 200; ++trial) {
    ClusterView cluster = unknown_cluster(9, 900);  // divisible, so that epoch 0 is symmetric
    std::vector<double> times = random_times(random, 9);
    for (WorkerView& worker : cluster.workers) worker.max_batch = Samples{random.whole(100, 400)};
    Whole batches = after_times(cluster, times);
    const std::int64_t turn = random.whole(1, 8);
    std::rotate(cluster.workers.begin(), cluster.workers.begin() + turn, cluster.workers.end());
    std::rotate(times.begin(), times.begin() + turn, times.end());
    std::rotate(batches.begin(), batches.begin() + turn, batches.end());
    CHECK(after_times(cluster, times) == batches);
  }
}

TEST_CASE("a copy remembers what the original had seen, and then goes its own way", "[dbs]") {
  const std::unique_ptr<Policy> policy = make_dbs();
  const Decision start = policy->start(unknown_cluster(2, 96));
  const auto second = policy->after_epoch(epoch_with_times(start, {1.0, 2.0}));
  REQUIRE(second);
  const std::unique_ptr<Policy> copy = policy->clone();
  const auto nothing_seen = epoch_with_times(*second, {0.0, 0.0});
  CHECK_FALSE(copy->after_epoch(nothing_seen));  // it stays at 64 and 32, from memory
  const auto changed = copy->after_epoch(epoch_with_times(*second, {2.0, 1.0}));
  REQUIRE(changed);
  CHECK(counts_of(changed->local_batches) == Whole{48, 48});
  CHECK_FALSE(policy->after_epoch(nothing_seen));  // the original has not seen that
}

TEST_CASE("DBS refuses what cannot be divided", "[dbs]") {
  CHECK_THROWS_AS(make_dbs()->start(unknown_cluster(5, 4)), std::invalid_argument);
  CHECK_THROWS_AS(make_dbs({.mode = DbsMode::code})->start(unknown_cluster(5, 4)),
                  std::invalid_argument);
  ClusterView cluster = unknown_cluster(2, 100);
  for (WorkerView& worker : cluster.workers) worker.max_batch = Samples{49};
  CHECK_THROWS_AS(make_dbs()->start(cluster), std::invalid_argument);
}

TEST_CASE("a measurement for each worker, or the assumption is broken", "[dbs]") {
  const std::unique_ptr<Policy> policy = make_dbs();
  const Decision start = policy->start(unknown_cluster(2, 96));
  std::vector<Measurement> epoch = epoch_with_times(start, {1.0, 2.0});
  epoch.pop_back();
  CHECK_THROWS_AS(policy->after_epoch(epoch), BrokenAssumption);
}
