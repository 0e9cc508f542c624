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

std::vector<Bounds> limits_of(const ClusterView& cluster, std::int64_t least,
                              std::optional<std::int64_t> most) {
  std::vector<Bounds> limits = limits_of(cluster);
  const std::int64_t batch = cluster.global_batch.count();
  std::int64_t needed = 0;
  std::int64_t room = 0;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    limits[i].most = std::min(limits[i].most, most.value_or(limits[i].most));
    if (limits[i].most < least) {
      throw std::invalid_argument{
          fmt::format("room for at least {} samples on worker \"{}\", not {}", least,
                      cluster.workers[i].name, limits[i].most)};
    }
    limits[i].least = least;
    needed += std::min(least, batch + 1 - std::min(needed, batch + 1));
    room += std::min(limits[i].most, batch - room);
  }
  if (needed <= batch && room >= batch) return limits;
  throw std::invalid_argument{
      fmt::format("a global batch that local batches of {} to {} can add up to, not {}", least,
                  most ? fmt::format("{}", *most) : "what memory holds", batch)};
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
