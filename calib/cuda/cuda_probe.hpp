#pragma once

namespace dbsim::calib {

/// Whether this program holds code that the GPU can run. C++17: nvcc reads this header.
[[nodiscard]] bool kernels_run_on(int device);

}  // namespace dbsim::calib
