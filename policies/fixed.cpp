#include "policies/fixed.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>
#include <utility>

#include "policies/limits.hpp"

namespace dbsim {

namespace {

std::vector<std::int64_t> equal_batches(const ClusterView& cluster) {
  require_a_sample_each(cluster);
  const std::int64_t workers = std::ssize(cluster.workers);
  std::vector<std::int64_t> batches(cluster.workers.size(), cluster.global_batch.count() / workers);
  const std::int64_t rest = cluster.global_batch.count() % workers;
  for (std::int64_t i = 0; i < rest; ++i) ++batches[static_cast<std::size_t>(i)];
  return batches;
}

class Fixed final : public Policy {
 public:
  explicit Fixed(std::vector<std::int64_t> batches) : by_hand_{std::move(batches)} {}

  [[nodiscard]] Decision start(const ClusterView& cluster) override {
    const std::vector<std::int64_t> batches = by_hand_.empty() ? equal_batches(cluster) : by_hand_;
    if (batches.size() != cluster.workers.size()) {
      throw std::invalid_argument{fmt::format("{} batches, one for each worker, not {}",
                                              cluster.workers.size(), batches.size())};
    }
    for (std::size_t i = 0; i < batches.size(); ++i) {
      refuse_impossible(batches[i], cluster.workers[i]);
    }
    return {.local_batches = as_samples(batches)};
  }

  [[nodiscard]] std::unique_ptr<Policy> clone() const override {
    return std::make_unique<Fixed>(*this);
  }

 private:
  static void refuse_impossible(std::int64_t batch, const WorkerView& worker) {
    if (batch < 1) {
      throw std::invalid_argument{fmt::format(
          "a batch of at least one sample for worker \"{}\", not {}", worker.name, batch)};
    }
    if (worker.max_batch && batch > worker.max_batch->count()) {
      throw std::invalid_argument{
          fmt::format("a batch of at most {} for worker \"{}\", what its memory holds, not {}",
                      worker.max_batch->count(), worker.name, batch)};
    }
  }

  std::vector<std::int64_t> by_hand_;
};

}  // namespace

std::unique_ptr<Policy> make_fixed(std::vector<std::int64_t> batches) {
  return std::make_unique<Fixed>(std::move(batches));
}

}  // namespace dbsim
