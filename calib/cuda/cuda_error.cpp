#include "calib/cuda/cuda_error.cuh"
#include "calib/backend/device_error.hpp"

#include <fmt/format.h>

#include "calib/backend/device.hpp"

namespace dbsim::calib {

void check_cuda(cudaError_t status, const char* file, int line) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // or the next call would report it again
  if (status == cudaErrorMemoryAllocation) throw OutOfMemory{};
  throw DeviceError{fmt::format("CUDA: {} ({}:{})", cudaGetErrorString(status), file, line)};
}

void check_cuda(cublasStatus_t status, const char* file, int line) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw OutOfMemory{};
  throw DeviceError{fmt::format("cuBLAS: {} ({}:{})", cublasGetStatusString(status), file, line)};
}

}  // namespace dbsim::calib
