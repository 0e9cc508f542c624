#pragma once
// The socket that policies plug into: measurements in, decisions out. The same object drives real
// training.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/step_time_curve.hpp"
#include "sim/base/units.hpp"

namespace dbsim {

/// What is known of one worker before training starts.
struct WorkerView {
  std::string name;
  std::optional<Samples>
      max_batch;  // the largest local batch its memory holds; empty: no limit known
  std::optional<StepTimeCurve>
      nominal;  // step time from its profile, undisturbed; empty: no profile
};

/// What a policy may know at the start. The truth about interference and noise is not in it.
struct ClusterView {
  Samples global_batch;
  Samples epoch_samples;  // samples of one epoch, all workers together
  std::vector<WorkerView> workers;
};

/// One worker over the epoch (or step) that just ended.
struct Measurement {
  Samples batch;  // local batch it was given
  Samples samples;
  std::int64_t steps{};
  Seconds own{};            // on its own work: loading, forward, backward, update
  Seconds communication{};  // in the all-reduce, after everybody had arrived
  Seconds wait{};           // idle until the slowest arrived
};

/// How the work is divided from now on. One entry per worker, in the order of ClusterView::workers.
struct Decision {
  std::vector<Samples> local_batches;
  /// Samples of the epoch each worker gets. Empty: every sample is dealt once, in proportion to the
  /// local batches, so that all workers make the same number of steps.
  std::vector<Samples> slices{};
  /// Weight of each worker's mean gradient. Empty: its share of the samples of that very step.
  std::vector<double> weights{};
  friend bool operator==(const Decision&, const Decision&) = default;
};

class Policy {
 public:
  virtual ~Policy() = default;
  [[nodiscard]] virtual Decision start(const ClusterView& cluster) = 0;
  /// How many steps pass between decisions within an epoch. Empty: it decides after epochs only,
  /// and nothing is measured for it in between.
  [[nodiscard]] virtual std::optional<std::int64_t> steps_between_decisions() const {
    return std::nullopt;
  }
  /// Called at the first synchronisation after so many steps, and at the last of an epoch: one
  /// measurement per worker, over the steps since the call before or since the epoch began. A
  /// decision holds from the next step on; what is left of the epoch is dealt by it, so it has no
  /// slices. Empty: carry on as before.
  [[nodiscard]] virtual std::optional<Decision> after_steps(std::span<const Measurement>) {
    return std::nullopt;
  }
  /// Called after every epoch, one measurement per worker. Empty: carry on as before.
  [[nodiscard]] virtual std::optional<Decision> after_epoch(std::span<const Measurement>) {
    return std::nullopt;
  }
  /// A copy with the same memory: what-if branches and resuming come from copies.
  [[nodiscard]] virtual std::unique_ptr<Policy> clone() const = 0;

 protected:
  Policy() = default;
  Policy(const Policy&) = default;
  Policy& operator=(const Policy&) = default;
};

}  // namespace dbsim
