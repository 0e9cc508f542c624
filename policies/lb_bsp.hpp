#pragma once
// LB-BSP, semi-dynamic load balancing (Chen, Weng, Wang, Li and Li, SoCC 2020, arXiv 1806.02508;
// the poster of SoCC 2018, DOI 10.1145/3267809.3275463): local batches re-sized at every barrier,
// by speeds predicted for the next step.
#include <cstdint>
#include <memory>

#include "sim/policy/policy.hpp"

namespace dbsim {

enum class LbBspRule {
  cpu,  // b_i = B v_i / sum v: step time in proportion to the batch
  gpu  // equal finish of lines above a floor, fitted to the profiles and scaled by what is measured
};
/// The paper predicts by a recurrent network (NARX) that also sees free processors and memory, of
/// which a policy sees nothing; these stand in for it.
enum class LbBspPredictor {
  average,  // exponentially weighted, `newest` for the newest
  last,     // the next is as the last
  arima     // ARIMA(1,1,0): the next change is phi times the last, phi by least squares
};
struct LbBspSettings {
  LbBspRule rule{LbBspRule::cpu};
  LbBspPredictor predictor{LbBspPredictor::average};
  double newest{0.3};
  std::int64_t every{1};  // steps between decisions
  /// When a share moves back the way it came, all later moves are half as large (said of section
  /// 3.3.2 by others). After many such turns nothing moves any more.
  bool halving{false};
};

/// With the rule for GPUs, start() throws std::invalid_argument when a worker has no profile.
[[nodiscard]] std::unique_ptr<Policy> make_lb_bsp(const LbBspSettings& settings = {});

}  // namespace dbsim
