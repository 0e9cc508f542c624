#pragma once
// One visit: make room, warm up, time a few steps.
#include <cstdint>
#include <functional>
#include <optional>

#include "calib/backend/step_runner.hpp"
#include "calib/measure/samples.hpp"

namespace dbsim::calib {

struct VisitPlan {
  std::size_t warm_ups{2};
  double timed_s{0.3};  // as many timed steps as fill this, from 2 to 50
  std::function<bool()> stop;
};

/// Timed steps that fill `timed_s` when one takes `step_s`.
[[nodiscard]] std::size_t timed_steps(double timed_s, double step_s);

/// Of the batch that is prepared. Empty when it was stopped between steps. The caller sets when it
/// started.
[[nodiscard]] std::optional<Visit> visit(StepRunner& runner, const VisitPlan& plan);

}  // namespace dbsim::calib
