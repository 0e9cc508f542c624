#pragma once
// Static batching: shares in proportion to the speed that the profile promises at an equal share.
#include <memory>

#include "sim/policy/policy.hpp"

namespace dbsim {

/// Local batches nearest in least squares to B v_i / sum v with v_i = (B/n) / t_i(B/n); what
/// memory cannot hold goes to the others in the same proportion. start() throws
/// std::invalid_argument when a worker has no profile.
[[nodiscard]] std::unique_ptr<Policy> make_proportional();

}  // namespace dbsim
