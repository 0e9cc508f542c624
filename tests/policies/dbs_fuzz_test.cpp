// Whatever is measured, what DBS decides can be carried out.
#include <algorithm>
#include <cmath>
#include <limits>

#include "policies/dbs.hpp"
#include "tests/catch.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

double nonsense(RandomStream& random) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  switch (random.whole(0, 9)) {
    case 0:
      return 0.0;
    case 1:
      return infinite;
    case 2:
      return -infinite;
    case 3:
      return std::numeric_limits<double>::quiet_NaN();
    case 4:
      return -random.uniform();
    case 5:
      return std::numeric_limits<double>::denorm_min();
    case 6:
      return std::numeric_limits<double>::max();
    case 7:
      return random.lognormal(30.0);
    default:
      return random.lognormal(1.0);
  }
}

std::vector<Measurement> fuzzed_epoch(RandomStream& random, const Decision& decision) {
  std::vector<Measurement> epoch;
  for (const Samples batch : decision.local_batches) {
    Measurement measured{.batch = batch,
                         .samples = Samples{batch.count() * random.whole(0, 100)},
                         .steps = random.whole(0, 100),
                         .own = Seconds{nonsense(random)},
                         .communication = Seconds{nonsense(random)},
                         .wait = Seconds{nonsense(random)}};
    if (random.uniform() < 0.05) measured.samples = Samples{0};
    if (random.uniform() < 0.02) measured.samples = Samples{INT64_MAX};
    epoch.push_back(measured);
  }
  return epoch;
}

bool keeps_limits(const ClusterView& cluster, const Decision& decision) {
  if (decision.local_batches.size() != cluster.workers.size()) return false;
  for (std::size_t i = 0; i < cluster.workers.size(); ++i) {
    const Samples batch = decision.local_batches[i];
    if (batch < Samples{1}) return false;
    if (batch > cluster.workers[i].max_batch.value_or(cluster.global_batch)) return false;
  }
  return sum_of(decision.local_batches) == cluster.global_batch.count();
}

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

ClusterView fuzzed_cluster(RandomStream& random, std::size_t workers) {
  const auto count = static_cast<std::int64_t>(workers);
  const std::int64_t batch = random.whole(count, 300 * count);
  ClusterView cluster = unknown_cluster(workers, batch, random.whole(batch, 1'000 * batch));
  for (WorkerView& worker : cluster.workers) {
    if (random.uniform() < 0.5) worker.max_batch = Samples{random.whole(1, batch)};
  }
  cluster.workers.front().max_batch.reset();  // so that memory suffices
  return cluster;
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
      decision = policy->after_epoch(fuzzed_epoch(random, decision)).value_or(decision);
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
