#pragma once
// GPUs of this machine, for code that knows nothing of CUDA. cuda_absent.cpp stands in where this
// build has no CUDA half. C++17: nvcc reads this header.
#include <memory>
#include <string>
#include <vector>

#include "calib/backend/device.hpp"
#include "calib/cuda/cuda_settings.hpp"
#include "calib/kernels/ops.hpp"

namespace dbsim::calib {

struct CudaDeviceInfo {
  std::string name;      // "NVIDIA H100 80GB HBM3"
  std::string unusable;  // exactly why, as half a sentence; empty: it can be used
};

/// By number. Where none can be had at all, one entry says why.
[[nodiscard]] std::vector<CudaDeviceInfo> cuda_devices();
[[nodiscard]] bool has_cudnn();

/// A GPU with a queue of its own. `settings.stream` of the ops must be its stream.
class CudaDevice : public Device {
 public:
  [[nodiscard]] virtual void* stream() const = 0;
};
[[nodiscard]] std::unique_ptr<CudaDevice> make_cuda_device(int number, CudaLibrary library);
[[nodiscard]] std::unique_ptr<Ops<float>> make_cuda_ops(const CudaSettings& settings);

}  // namespace dbsim::calib
