#pragma once
// Background loads on a GPU: kernels on streams of their own, as tasks of another process would be
// while the driver shares the device.
#include <memory>

#include "calib/backend/background_load.hpp"

namespace dbsim::calib {

enum class CudaLoadKind { compute, memory };
[[nodiscard]] std::unique_ptr<BackgroundLoad> make_cuda_load(CudaLoadKind kind, int device);

}  // namespace dbsim::calib
