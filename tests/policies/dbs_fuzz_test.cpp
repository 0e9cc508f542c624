// Whatever is measured, what DBS decides can be carried out.
#include <algorithm>
#include <cmath>

#include "policies/dbs.hpp"
#include "tests/catch.hpp"
#include "tests/policies/fuzzing.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

// What the authors' program promises at most: it may lose samples, in the batch and in the epoch.
bool can_be_carried_out(const ClusterView& cluster, const Decision& decision) {
  const auto not_negative = [](Samples samples) { return samples.count() >= 0; };
  const auto is_weight = [](double weight) { return weight >= 0.0 && weight <= 1.0; };
  double weights = 0.0;
  for (const double weight : decision.weights) weights += weight;
  const std::int64_t batch = sum_of(decision.local_batches);
  return decision.local_batches.size() == cluster.workers.size() &&
         decision.slices.size() == cluster.workers.size() &&
         decision.weights.size() == cluster.workers.size() && batch > 0 &&
         batch <= cluster.global_batch.count() &&
         sum_of(decision.slices) <= cluster.epoch_samples.count() &&
         std::ranges::all_of(decision.local_batches, not_negative) &&
         std::ranges::all_of(decision.slices, not_negative) &&
         std::ranges::all_of(decision.weights, is_weight) && std::abs(weights - 1.0) < 1e-9;
}

template <class Good>
int failures(DbsRule rule, std::string_view owner, std::size_t most_workers, Good good) {
  RandomStream random = RandomStreams{81}.stream("dbs-fuzz", owner);
  int wrong = 0;
  const int trials = most_workers > 1'000 ? 6 : 400;
  for (int trial = 0; trial < trials; ++trial) {
    const auto workers = static_cast<std::size_t>(
        most_workers > 1'000 ? static_cast<std::int64_t>(most_workers) - trial
                             : random.whole(1, static_cast<std::int64_t>(most_workers)));
    const ClusterView cluster = fuzzed_cluster(random, workers);
    const std::unique_ptr<Policy> policy = make_dbs(rule);
    Decision decision = policy->start(cluster);
    wrong += good(cluster, decision) ? 0 : 1;
    for (int epoch = 0; epoch < 8; ++epoch) {
      decision = policy->after_epoch(fuzzed(random, decision)).value_or(decision);
      wrong += good(cluster, decision) ? 0 : 1;
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("no measurement makes DBS break sum, memory or the one sample each", "[dbs][fuzz]") {
  CHECK(failures({}, "paper", 40, keeps_limits) == 0);
  CHECK(failures({}, "paper, many", 10'000, keeps_limits) == 0);
}

TEST_CASE("no measurement makes the program decide what cannot be carried out",
          "[dbs-code][fuzz]") {
  const DbsRule as_published{.mode = DbsMode::code};
  CHECK(failures(as_published, "code", 40, can_be_carried_out) == 0);
  CHECK(failures(as_published, "code, many", 10'000, can_be_carried_out) == 0);
}
