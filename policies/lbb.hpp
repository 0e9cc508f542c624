#pragma once
// LBB, load-balanced batching (Yao, Liu and Gao; code and paper at
// https://github.com/FLYING37520/LBB, beab406): local batches from a profile, then tuned after
// every step, finely or at once, by how far the step times lie apart.
#include <cstdint>
#include <memory>

#include "sim/policy/policy.hpp"

namespace dbsim {

enum class LbbMode {
  paper,  // thresholds 0.05 and 0.3; after a rapid tuning only fine ones for `window` steps
  code    // 0.06 and 0.15; fine tuning until `window` balanced steps were counted; each worker's
        // batch rounded on its own, so that the sum may drift; weights by the original global batch
};
enum class LbbStart {
  profile,  // the slowest profiled step as short as it can be
  equal
};
struct LbbSettings {
  LbbMode mode{LbbMode::paper};
  LbbStart start{LbbStart::profile};
  std::int64_t window{30};
};

/// With SE = (max t - min t) / mean t of a step: below the first threshold nothing moves; below the
/// second one sample moves from the slowest worker to the fastest (fine tuning); above it
/// t_i(b) = a_i + b (t_i - a_i) / b_i, with a_i from the profile, is solved anew for equal times
/// (rapid tuning).
///
/// The authors minimise max t - min t over real batches, with a cubic fitted to the profile; here
/// the longest time is minimised, which is the same unless a limit binds. start() throws
/// std::invalid_argument when a worker has no profile.
[[nodiscard]] std::unique_ptr<Policy> make_lbb(const LbbSettings& settings = {});

}  // namespace dbsim
