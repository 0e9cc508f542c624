#pragma once
// The GPU under test.
#include <memory>
#include <string>
#include <vector>

#include "calib/cuda/cuda_device.hpp"

namespace dbsim::calib::test {

/// Its number, from the environment variable DBSIM_TEST_GPU, or 0.
[[nodiscard]] int gpu_number();
/// Why it cannot be used, or empty.
[[nodiscard]] std::string gpu_unusable();

/// Ops and the device whose queue they use.
struct Gpu {
  std::string name;
  std::unique_ptr<CudaDevice> device;
  std::unique_ptr<Ops<float>> ops;
};
[[nodiscard]] Gpu make_gpu(CudaLibrary library, CudaPrecision precision = CudaPrecision::fp32);
/// With every library that this build has.
[[nodiscard]] std::vector<CudaLibrary> gpu_libraries();

}  // namespace dbsim::calib::test
