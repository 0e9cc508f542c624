#include "calib/cuda/cuda_device.hpp"
#include "calib/cuda/cuda_launcher.cuh"
#include "calib/cuda/cuda_probe.hpp"
#include "calib/cuda/cudnn_ops.hpp"
#include "calib/kernels/layer_ops.hpp"

namespace dbsim::calib {

namespace {
__global__ void probe() {}
}  // namespace

bool kernels_run_on(int device) {
  cudaFuncAttributes attributes{};
  const bool runs = cudaSetDevice(device) == cudaSuccess &&
                    cudaFuncGetAttributes(&attributes, probe) == cudaSuccess;
  cudaGetLastError();
  return runs;
}

std::unique_ptr<Ops<float>> make_cuda_ops(const CudaSettings& settings) {
  if (settings.library == CudaLibrary::cudnn) return make_cudnn_ops(settings);
  return std::make_unique<LayerOps<CudaLauncher>>(settings);
}

}  // namespace dbsim::calib
