#pragma once
// The GPUs of this machine as a family of devices, "cuda:0" and on.
#include <memory>

#include "calib/backend/devices.hpp"

namespace dbsim::calib {

/// Where this build has no CUDA half, its one device is unusable and says so.
[[nodiscard]] std::unique_ptr<DeviceFamily> make_cuda_family();

}  // namespace dbsim::calib
