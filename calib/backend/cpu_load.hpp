#pragma once
// Background loads on the host's cores, made of real kernels.
#include <cstdint>
#include <functional>
#include <memory>

#include "calib/backend/background_load.hpp"
#include "calib/backend/cpu_device.hpp"
#include "calib/backend/step_runner.hpp"

namespace dbsim::calib {

/// Each of them: one thread that multiplies matrices small enough for a core's own cache.
[[nodiscard]] std::unique_ptr<BackgroundLoad> make_compute_load(CpuLibrary library);
/// Each of them: one thread that adds arrays too large for any cache.
[[nodiscard]] std::unique_ptr<BackgroundLoad> make_memory_load();
/// Each of them: a runner of its own that takes steps of the batch without a pause. `make` is
/// called as a load starts. Works for any device.
[[nodiscard]] std::unique_ptr<BackgroundLoad> make_training_load(
    std::function<std::unique_ptr<StepRunner>()> make);

}  // namespace dbsim::calib
