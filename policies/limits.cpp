#include "policies/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace dbsim {

void require_a_sample_each(const ClusterView& cluster) {
  if (cluster.workers.empty()) throw std::invalid_argument{"at least one worker"};
  if (cluster.global_batch.count() >= std::ssize(cluster.workers)) return;
  throw std::invalid_argument{
      fmt::format("a global batch of at least {}, one sample for each worker, not {}",
                  cluster.workers.size(), cluster.global_batch.count())};
}

std::vector<Bounds> limits_of(const ClusterView& cluster) {
  require_a_sample_each(cluster);
  const std::int64_t batch = cluster.global_batch.count();
  std::vector<Bounds> limits;
  limits.reserve(cluster.workers.size());
  std::int64_t room = 0;
  for (const WorkerView& worker : cluster.workers) {
    const std::int64_t most =
        std::min(batch, worker.max_batch.value_or(cluster.global_batch).count());
    if (most < 1) {
      throw std::invalid_argument{
          fmt::format("memory for at least one sample on worker \"{}\"", worker.name)};
    }
    limits.push_back({1, most});
    room += std::min(most, batch - std::min(room, batch));
  }
  if (room >= batch) return limits;
  throw std::invalid_argument{fmt::format(
      "a global batch of at most {}, what the memory of all workers holds, not {}", room, batch)};
}

std::vector<const StepTimeCurve*> curves_of(const ClusterView& cluster) {
  std::vector<const StepTimeCurve*> curves;
  curves.reserve(cluster.workers.size());
  for (const WorkerView& worker : cluster.workers) {
    if (!worker.nominal) {
      throw std::invalid_argument{fmt::format("a profile for worker \"{}\"", worker.name)};
    }
    curves.push_back(&*worker.nominal);
  }
  return curves;
}

std::vector<Samples> as_samples(const std::vector<std::int64_t>& counts) {
  std::vector<Samples> samples(counts.size());
  std::ranges::transform(counts, samples.begin(),
                         [](std::int64_t count) { return Samples{count}; });
  return samples;
}

}  // namespace dbsim
