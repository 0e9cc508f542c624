#include "calib/cuda/cuda_load.hpp"

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "calib/backend/worker_load.hpp"
#include "calib/cuda/cuda_error.cuh"
#include "calib/kernels/random.hpp"

namespace dbsim::calib {

namespace {

/// A stream with cuBLAS and some random memory on it, for one thread.
class Lane {
 public:
  Lane(int device, std::size_t values) : values_{values} {
    check_cuda(cudaSetDevice(device));
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check_cuda(cublasCreate(&cublas_));
    check_cuda(cublasSetStream(cublas_, stream_));
    check_cuda(cudaMalloc(reinterpret_cast<void**>(&memory_), 3 * values * sizeof(float)));
    std::vector<float> host(values);
    for (std::size_t i = 0; i < values; ++i) host[i] = uniform<float>(3, i) - 0.5F;
    for (int part = 0; part < 3; ++part) {
      check_cuda(cudaMemcpyAsync(memory(part), host.data(), values * sizeof(float),
                                 cudaMemcpyHostToDevice, stream_));
    }
    wait();
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() {
    cudaFree(memory_);
    cublasDestroy(cublas_);
    cudaStreamDestroy(stream_);
  }

  [[nodiscard]] float* memory(int part) const {
    return memory_ + static_cast<std::size_t>(part) * values_;
  }
  void wait() const { check_cuda(cudaStreamSynchronize(stream_)); }

  /// side x side matrices; many a call, so that the queue is never empty for long.
  void multiply(int side) const {
    constexpr float one = 1.0F;
    constexpr float none = 0.0F;
    for (int i = 0; i < 16; ++i) {
      check_cuda(cublasSgemm(cublas_, CUBLAS_OP_N, CUBLAS_OP_N, side, side, side, &one, memory(0),
                             side, memory(1), side, &none, memory(2), side));
    }
    wait();
  }
  void copy() const {
    for (int i = 0; i < 16; ++i) {
      check_cuda(cudaMemcpyAsync(memory(i % 3), memory((i + 1) % 3), values_ * sizeof(float),
                                 cudaMemcpyDeviceToDevice, stream_));
    }
    wait();
  }

 private:
  std::size_t values_;
  float* memory_{};
  cudaStream_t stream_{};
  cublasHandle_t cublas_{};
};

}  // namespace

std::unique_ptr<BackgroundLoad> make_cuda_load(CudaLoadKind kind, int device) {
  if (kind == CudaLoadKind::compute) {
    return std::make_unique<WorkerLoad>("compute", [device](std::int64_t) {
      constexpr int side = 1024;
      auto lane = std::make_shared<Lane>(device, std::size_t{side} * side);
      return [lane] { lane->multiply(side); };
    });
  }
  return std::make_unique<WorkerLoad>("memory", [device](std::int64_t) {
    constexpr std::size_t values = std::size_t{1} << 26U;  // 256 MiB: larger than any cache
    auto lane = std::make_shared<Lane>(device, values);
    return [lane] { lane->copy(); };
  });
}

}  // namespace dbsim::calib
