#include "tests/gpu/gpu.hpp"

#include <cstdlib>

namespace dbsim::calib::test {

int gpu_number() {
  const char* given = std::getenv("DBSIM_TEST_GPU");
  return given != nullptr ? std::atoi(given) : 0;
}

std::string gpu_unusable() {
  const std::vector<CudaDeviceInfo> devices = cuda_devices();
  const auto number = static_cast<std::size_t>(gpu_number());
  if (number < devices.size()) return devices[number].unusable;
  return "there is no CUDA device " + std::to_string(number);
}

Gpu make_gpu(CudaLibrary library, CudaPrecision precision) {
  Gpu gpu;
  gpu.name = library == CudaLibrary::cudnn ? "cuDNN" : "cuBLAS";
  gpu.device = make_cuda_device(gpu_number(), library);
  gpu.ops = make_cuda_ops({gpu_number(), precision, library, gpu.device->stream()});
  return gpu;
}

std::vector<CudaLibrary> gpu_libraries() {
  if (has_cudnn()) return {CudaLibrary::cublas, CudaLibrary::cudnn};
  return {CudaLibrary::cublas};
}

}  // namespace dbsim::calib::test
