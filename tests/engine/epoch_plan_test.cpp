#include "sim/engine/epoch_plan.hpp"

#include <algorithm>
#include <numeric>

#include "sim/base/check.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

std::int64_t samples_dealt(const EpochPlan& plan) {
  std::int64_t sum = 0;
  for (const WorkerPlan& worker : plan.workers) sum += worker.samples().count();
  return sum;
}

Decision batches(std::initializer_list<std::int64_t> sizes) {
  Decision decision;
  for (const std::int64_t size : sizes) decision.local_batches.push_back(Samples{size});
  return decision;
}

}  // namespace

TEST_CASE("50,000 samples in steps of 512 are 97 whole steps and one of 336", "[epoch-plan]") {
  const EpochPlan keep =
      plan_epoch(batches({128, 128, 128, 128}), Samples{50'000}, LastBatch::keep);
  for (const WorkerPlan& worker : keep.workers) {
    CHECK(worker.steps == 98);
    CHECK(worker.last_batch == Samples{84});
  }
  CHECK(keep.lost == Samples{0});
  const EpochPlan drop =
      plan_epoch(batches({128, 128, 128, 128}), Samples{50'000}, LastBatch::drop);
  for (const WorkerPlan& worker : drop.workers) CHECK(worker.steps == 97);
  CHECK(drop.lost == Samples{336});
}

TEST_CASE("a last step smaller than the number of workers leaves some of them without a sample",
          "[epoch-plan]") {
  const EpochPlan plan = plan_epoch(batches({2, 2, 2}), Samples{7}, LastBatch::keep);
  CHECK(samples_dealt(plan) == 7);
  for (const WorkerPlan& worker : plan.workers) CHECK(worker.steps == 2);
}

TEST_CASE("every sample is dealt once, and all workers make the same number of steps",
          "[epoch-plan]") {
  RandomStream random = RandomStreams{5}.stream("plan");
  for (int round = 0; round < 5000; ++round) {
    Decision decision;
    const std::int64_t workers = random.whole(1, 20);
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < workers; ++i) {
      decision.local_batches.push_back(Samples{random.whole(1, 40)});
      sum += decision.local_batches.back().count();
    }
    const Samples samples{random.whole(sum, 20 * sum)};
    const EpochPlan keep = plan_epoch(decision, samples, LastBatch::keep);
    REQUIRE(samples_dealt(keep) == samples.count());
    const EpochPlan drop = plan_epoch(decision, samples, LastBatch::drop);
    REQUIRE(samples_dealt(drop) + drop.lost.count() == samples.count());
    double weight = 0.0;
    for (const WorkerPlan& worker : keep.workers) {
      REQUIRE(worker.steps == keep.workers.front().steps);
      REQUIRE(worker.last_batch <= worker.batch);
      weight += worker.weight;
    }
    REQUIRE(weight == Approx(1.0).epsilon(1e-12));
  }
}

TEST_CASE("slices are taken at their word: unequal step counts, unused samples", "[epoch-plan]") {
  Decision decision = batches({10, 20});
  decision.slices = {Samples{95}, Samples{120}};
  decision.weights = {0.4, 0.6};
  const EpochPlan plan = plan_epoch(decision, Samples{220}, LastBatch::keep);
  CHECK(plan.workers[0].steps == 10);
  CHECK(plan.workers[0].last_batch == Samples{5});
  CHECK(plan.workers[1].steps == 6);
  CHECK(plan.workers[1].last_batch == Samples{20});
  CHECK(plan.lost == Samples{5});
  CHECK(plan.workers[1].weight == 0.6);
}

TEST_CASE("a decision that describes no work is refused", "[epoch-plan]") {
  CHECK_THROWS_AS(check_decision(batches({1, 2}), 3), BrokenAssumption);
  CHECK_THROWS_AS(check_decision(batches({0, 0}), 2), BrokenAssumption);
  CHECK_THROWS_AS(check_decision(batches({-1, 2}), 2), BrokenAssumption);
  Decision odd_weights = batches({1, 1});
  odd_weights.weights = {1.0, -0.5};
  CHECK_THROWS_AS(check_decision(odd_weights, 2), BrokenAssumption);
}
