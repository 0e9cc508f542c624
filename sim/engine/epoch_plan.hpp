#pragma once
// What a decision means for one epoch: who makes how many steps with how many samples.
#include <cstdint>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/model/setup.hpp"
#include "sim/policy/policy.hpp"

namespace dbsim {

struct WorkerPlan {
  Samples batch;
  std::int64_t steps{};
  Samples last_batch;  // samples in the last of the steps, possibly none
  double weight{};     // of its mean gradient in a full step
  [[nodiscard]] Samples samples() const { return samples_after(0); }
  /// Samples of the steps that follow the first so many.
  [[nodiscard]] Samples samples_after(std::int64_t done) const {
    return steps <= done ? Samples{} : Samples{batch.count() * (steps - done - 1)} + last_batch;
  }
};

struct EpochPlan {
  std::vector<WorkerPlan> workers;
  Samples lost;  // samples of the epoch that nobody gets
};

/// Deals `samples` among the workers. A decision without slices uses every sample once: all workers
/// make equally many steps, and the samples that fill no whole step make a smaller last one,
/// divided in proportion to the local batches (or are dropped, if that is the rule). A decision
/// with slices is taken at its word, unequal step counts included.
[[nodiscard]] EpochPlan plan_epoch(const Decision& decision, Samples samples, LastBatch rule);

/// Throws BrokenAssumption unless the decision has one entry per worker and describes some work.
void check_decision(const Decision& decision, std::size_t workers);

}  // namespace dbsim
