#pragma once
// Dynamic batching by a proportional controller with a dead-band (Tyagi and Sharma, ACSOS 2020,
// arXiv 2305.12213, section on dynamic batching).
#include <cstdint>
#include <memory>
#include <optional>

#include "sim/policy/policy.hpp"

namespace dbsim {

struct ControllerSettings {
  double dead_band{0.05};              // no change below this part of every local batch
  double newest{0.5};                  // weight of the newest step time; the paper names no factor
  std::int64_t every{1};               // steps between decisions
  std::int64_t least{1};               // samples for every worker
  std::optional<std::int64_t> most{};  // empty: what memory holds
  bool lower_limits{true};             // who got slower by getting more is never given more again
};

/// b_k' = b_k mean(t) / t_k, where t_k averages the step times since the last change; all move as
/// soon as one would by more than the dead-band. The bare rule does not keep the sum: here the b_k'
/// are brought to it in proportion. Where a worker's throughput has fallen after it got more, what
/// it had before becomes the most it can get, as long as the others have room for the rest; a fall
/// within the dead-band is taken for noise, of which the paper says nothing.
///
/// start() throws std::invalid_argument when no local batches from `least` to `most` add up.
[[nodiscard]] std::unique_ptr<Policy> make_proportional_controller(
    const ControllerSettings& settings = {});

}  // namespace dbsim
