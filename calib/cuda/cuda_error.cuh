#pragma once
// Failed calls of the CUDA libraries as exceptions. C++17.
#include <cublas_v2.h>
#include <cuda_runtime.h>

namespace dbsim::calib {

/// Throw DeviceError with the call's place; OutOfMemory where that is the reason.
void check_cuda(cudaError_t status, const char* file = __builtin_FILE(),
                int line = __builtin_LINE());
void check_cuda(cublasStatus_t status, const char* file = __builtin_FILE(),
                int line = __builtin_LINE());

}  // namespace dbsim::calib
