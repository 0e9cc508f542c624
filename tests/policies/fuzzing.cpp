#include "tests/policies/fuzzing.hpp"

#include <algorithm>
#include <limits>

#include "tests/policies/support.hpp"

namespace dbsim::test {

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

}  // namespace

std::vector<Measurement> fuzzed(RandomStream& random, const Decision& decision) {
  std::vector<Measurement> epoch;
  for (const Samples batch : decision.local_batches) {
    Measurement measured{.batch = batch,
                         .samples = Samples{batch.count() * random.whole(0, 100)},
                         .steps = random.whole(0, 100),
                         .own = Seconds{nonsense(random)},
                         .communication = Seconds{nonsense(random)},
                         .wait = Seconds{nonsense(random)}};
    if (random.uniform() < 0.6) measured.samples = Samples{batch.count() * measured.steps};
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

void give_profiles(RandomStream& random, ClusterView& cluster) {
  for (WorkerView& worker : cluster.workers) {
    const StepTimeCurve line = StepTimeCurve::affine(Seconds{0.01 * random.uniform()},
                                                     Seconds{1e-3 * random.lognormal(1.0)});
    if (random.uniform() < 0.5) {
      worker.nominal = line;
      continue;
    }
    std::vector<StepTimePoint> points;  // flat at first, and not quite rising
    const double floor = line.at(Samples{random.whole(1, 64)}).count();
    for (std::int64_t batch = 1; batch <= 256; batch *= 4) {
      const double time = std::max(floor, line.at(Samples{batch}).count());
      points.push_back({Samples{batch}, Seconds{time * random.lognormal(0.05)}});
    }
    worker.nominal = StepTimeCurve{points};
  }
}

}  // namespace dbsim::test
