#pragma once
// Which measurements tell how fast a worker is.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/apportion.hpp"
#include "sim/policy/policy.hpp"

namespace dbsim {

/// It worked on some samples, for a time that a clock can show: positive, finite and short of
/// 30,000 years. Within these no sum or quotient of times can overflow.
[[nodiscard]] bool usable(const Measurement& measured);

/// Usable, and every step had the whole local batch. The last step of an epoch often has not.
[[nodiscard]] bool of_whole_steps(const Measurement& measured);

/// Own time of one step. For measurements of whole steps.
[[nodiscard]] double step_seconds(const Measurement& measured);

/// Equal local batches as far as the limits allow.
[[nodiscard]] std::vector<std::int64_t> equal_batches(std::int64_t total,
                                                      std::span<const Bounds> limits);

/// The decision for these local batches, which are then in force; empty when they already are.
[[nodiscard]] std::optional<Decision> changed_to(const std::vector<std::int64_t>& batches,
                                                 std::vector<std::int64_t>& in_force);

}  // namespace dbsim
