#pragma once
// Layers whose convolutions are cuDNN's. cudnn_absent.cpp stands in where this build has none.
// C++17: nvcc reads this header.
#include <memory>
#include <string>

#include "calib/cuda/cuda_settings.hpp"
#include "calib/kernels/ops.hpp"

namespace dbsim::calib {

[[nodiscard]] bool has_cudnn();
/// "cuDNN 9.1.0"; empty when absent.
[[nodiscard]] std::string cudnn_version();
/// Throws DeviceError when absent.
[[nodiscard]] std::unique_ptr<Ops<float>> make_cudnn_ops(const CudaSettings& settings);

}  // namespace dbsim::calib
