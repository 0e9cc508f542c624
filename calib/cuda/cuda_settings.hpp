#pragma once
// How work is to be done on a GPU. C++17.

namespace dbsim::calib {

/// Of matrix products and convolutions: inputs are rounded to this format, sums are float. All else
/// is float.
enum class CudaPrecision { fp32, tf32, fp16, bf16 };

/// Whose convolutions: patches and cuBLAS, or cuDNN where this build has it.
enum class CudaLibrary { cublas, cudnn };

struct CudaSettings {
  int device{0};
  CudaPrecision precision{CudaPrecision::fp32};
  CudaLibrary library{CudaLibrary::cublas};
  void* stream{};  // a cudaStream_t
};

}  // namespace dbsim::calib
