#pragma once
// Buckets of the gradient that travel while backward goes on.
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/scenario.hpp"

namespace dbsim {

struct OverlapSetup {
  std::vector<Bytes> buckets;  // in the order in which they become ready, and travel
  /// By worker and bucket: of a step's time, what is left when the bucket is ready. Backward is the
  /// end of a step; the update, which has to wait for the last bucket, opens the next one.
  std::vector<std::vector<double>> left;
  bool backward_assumed{false};  // some profile does not say how long backward takes
  friend bool operator==(const OverlapSetup&, const OverlapSetup&) = default;
};

/// Buckets of the scenario's size, else those of the first profile that names some, else of 25 MiB,
/// as PyTorch has them. A worker has one ready when its profile says so, else after an equal part
/// of backward.
[[nodiscard]] OverlapSetup overlap_setup(const Scenario& scenario);

/// Share of a step that backward takes where no profile says it: twice as long as forward, for the
/// gradients of what comes in beside those of the weights.
inline constexpr double usual_backward_share = 2.0 / 3.0;

}  // namespace dbsim
