#pragma once
// What every assignment must keep to: one sample at least for each worker, and its memory.
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/apportion.hpp"
#include "sim/policy/policy.hpp"

namespace dbsim {

/// From 1 to max_batch for each worker. Throws std::invalid_argument, saying what would be needed,
/// when no local batches within these limits add up to the global batch.
[[nodiscard]] std::vector<Bounds> limits_of(const ClusterView& cluster);

/// The same, and from `least` to `most`; no `most`: what memory holds.
[[nodiscard]] std::vector<Bounds> limits_of(const ClusterView& cluster, std::int64_t least,
                                            std::optional<std::int64_t> most);

/// Throws std::invalid_argument when there are fewer samples than workers, or no worker.
void require_a_sample_each(const ClusterView& cluster);

/// The nominal curve of every worker. Throws std::invalid_argument when one is missing.
[[nodiscard]] std::vector<const StepTimeCurve*> curves_of(const ClusterView& cluster);

[[nodiscard]] std::vector<Samples> as_samples(const std::vector<std::int64_t>& counts);

}  // namespace dbsim
