#pragma once
// The exact optimum under the profiles: the bound that no assignment of whole samples beats.
#include <memory>

#include "sim/policy/policy.hpp"

namespace dbsim {

/// Local batches within memory, with sum B, that minimise the slowest worker's nominal step time.
///
/// Where a profile's time falls as the batch grows, its running maximum from below, the longest
/// step of any batch up to b, stands for t(b): then no worker takes longer than the oracle says.
/// (The minimum from above would promise times that the assigned batches do not reach.)
///
/// Of several optimal assignments it takes the B quickest units, a unit being one more sample for
/// one worker, ordered by the step time that it leads to and, where those are equal, by worker.
/// start() throws std::invalid_argument when a worker has no profile.
[[nodiscard]] std::unique_ptr<Policy> make_oracle();

}  // namespace dbsim
