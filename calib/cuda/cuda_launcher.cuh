#pragma once
// Runs kernel bodies on a GPU: the launch patterns of calib/kernels/layer_ops.hpp, and matrix
// products by cuBLAS, all on one stream.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "calib/cuda/cuda_error.cuh"
#include "calib/cuda/cuda_kernels.cuh"
#include "calib/cuda/cuda_settings.hpp"
#include "calib/kernels/matmul.hpp"

namespace dbsim::calib {

/// Device memory that grows when more is asked of it.
class GrowingMemory {
 public:
  GrowingMemory() = default;
  GrowingMemory(const GrowingMemory&) = delete;
  GrowingMemory& operator=(const GrowingMemory&) = delete;
  ~GrowingMemory() { cudaFree(memory_); }

  /// Throws OutOfMemory. What was there before is lost.
  void* at_least(std::size_t bytes) {
    if (bytes > bytes_) {
      cudaFree(memory_);
      memory_ = nullptr;
      bytes_ = 0;
      check_cuda(cudaMalloc(&memory_, bytes));
      bytes_ = bytes;
    }
    return memory_;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void* memory_{};
  std::size_t bytes_{};
};

class CudaLauncher {
 public:
  using Value = float;

  explicit CudaLauncher(const CudaSettings& settings) : precision_{settings.precision} {
    check_cuda(cudaSetDevice(settings.device));
    check_cuda(
        cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, settings.device));
    stream_ = static_cast<cudaStream_t>(settings.stream);
    check_cuda(cublasCreate(&cublas_));
    check_cuda(cublasSetStream(cublas_, stream_));
  }
  CudaLauncher(const CudaLauncher&) = delete;
  CudaLauncher& operator=(const CudaLauncher&) = delete;
  ~CudaLauncher() { cublasDestroy(cublas_); }

  template <class Body, class... Inputs>
  void map(Index n, const Body& body, float* out, const Inputs*... in) {
    if (n == 0) return;
    if (n % 4 == 0 && packs(out, in...)) {
      map_packs_kernel<<<blocks(n / 4), block_size, 0, stream_>>>(n / 4, body, as_packs(out),
                                                                  as_packs(in)...);
    } else {
      map_kernel<<<blocks(n), block_size, 0, stream_>>>(n, body, out, in...);
    }
    check_cuda(cudaPeekAtLastError());
  }

  template <class Body, class... Inputs>
  void map_channels(Index rows, Index channels, const Body& body, float* out, const Inputs*... in) {
    const Index n = rows * channels;
    if (n == 0) return;
    if (channels % 4 == 0 && packs(out, in...)) {
      map_channel_packs_kernel<<<blocks(n / 4), block_size, 0, stream_>>>(
          n / 4, channels / 4, body, as_packs(out), as_packs(in)...);
    } else {
      map_channels_kernel<<<blocks(n), block_size, 0, stream_>>>(n, channels, body, out, in...);
    }
    check_cuda(cudaPeekAtLastError());
  }

  template <class Body>
  void for_each(Index n, const Body& body) {
    if (n == 0) return;
    for_each_kernel<<<blocks(n), block_size, 0, stream_>>>(n, body);
    check_cuda(cudaPeekAtLastError());
  }

  template <class Body>
  void for_each_channel(Index rows, Index channels, const Body& body) {
    const Index n = rows * channels;
    if (n == 0) return;
    for_each_channel_kernel<<<blocks(n), block_size, 0, stream_>>>(n, channels, body);
    check_cuda(cudaPeekAtLastError());
  }

  /// A warp a team, or a block where a team has enough to share.
  template <class Body>
  void for_each_team(Index teams, Index width, const Body& body) {
    if (teams == 0) return;
    if (width > 1024) {
      const auto grid = static_cast<unsigned>(std::min<Index>(teams, most_blocks()));
      block_teams_kernel<float><<<grid, block_size, 0, stream_>>>(teams, body);
    } else {
      warp_teams_kernel<<<blocks(teams * warp_size), block_size, 0, stream_>>>(teams, body);
    }
    check_cuda(cudaPeekAtLastError());
  }

  template <class Body>
  void sum_columns(Index segments, Index rows, Index columns, const Body& body) {
    if (segments == 0 || columns == 0) return;
    const Index tiles = (columns + tile_columns - 1) / tile_columns;
    // Enough blocks to fill the device twice, but no piece so short that adding pieces costs more.
    const Index wanted = std::max<Index>(1, 16 * processors_ / (tiles * segments));
    const Index longest = std::max<Index>(1, rows / (4 * tile_rows));
    ColumnPieces cut{rows, columns, std::min<Index>({wanted, longest, 65'535}), 0};
    cut.rows_a_piece = std::max<Index>(1, (rows + cut.pieces - 1) / cut.pieces);
    auto* partial = static_cast<float*>(partial_.at_least(
        sizeof(float) * static_cast<std::size_t>(Body::sums * segments * cut.pieces * columns)));
    const dim3 block{tile_columns, tile_rows};
    constexpr Index most_segments = 65'535;  // the limit of a grid's third side
    for (Index first = 0; first < segments; first += most_segments) {
      const dim3 grid{static_cast<unsigned>(tiles), static_cast<unsigned>(cut.pieces),
                      static_cast<unsigned>(std::min(most_segments, segments - first))};
      sum_pieces_kernel<<<grid, block, 0, stream_>>>(cut, first, body, partial);
    }
    store_sums_kernel<<<blocks(segments * columns), block_size, 0, stream_>>>(segments, cut, body,
                                                                              partial);
    check_cuda(cudaPeekAtLastError());
  }

  void copy_columns(Index rows, Index columns, const float* from, Index from_stride, float* to,
                    Index to_stride) {
    const Index n = rows * columns;
    if (n == 0) return;
    const bool four = columns % 4 == 0 && from_stride % 4 == 0 && to_stride % 4 == 0;
    if (four && packs(to, from)) {
      copy_columns_kernel<<<blocks(n / 4), block_size, 0, stream_>>>(
          n / 4, columns / 4, as_packs(from), from_stride / 4, as_packs(to), to_stride / 4);
    } else {
      copy_columns_kernel<<<blocks(n), block_size, 0, stream_>>>(n, columns, from, from_stride, to,
                                                                 to_stride);
    }
    check_cuda(cudaPeekAtLastError());
  }

  void zero(Index n, float* to) {
    check_cuda(cudaMemsetAsync(to, 0, sizeof(float) * static_cast<std::size_t>(n), stream_));
  }

  void matmul(const Matmul& shape, const float* a, const float* b, float* c) {
    // cuBLAS stores columns together; a row-major c = a b is its c' = b' a'.
    const auto alpha = static_cast<float>(shape.alpha);
    const auto beta = static_cast<float>(shape.beta);
    check_cuda(cublasGemmStridedBatchedEx(
        cublas_, shape.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N,
        shape.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N, static_cast<int>(shape.n),
        static_cast<int>(shape.m), static_cast<int>(shape.k), &alpha, b, CUDA_R_32F,
        static_cast<int>(shape.leading_b), shape.stride_b, a, CUDA_R_32F,
        static_cast<int>(shape.leading_a), shape.stride_a, &beta, c, CUDA_R_32F,
        static_cast<int>(shape.leading_c), shape.stride_c, static_cast<int>(shape.batch),
        compute_type(), CUBLAS_GEMM_DEFAULT));
  }

  float* scratch(Index n) {
    return static_cast<float*>(scratch_.at_least(sizeof(float) * static_cast<std::size_t>(n)));
  }

  /// 64 MiB: the second cache of a data-centre card holds about that.
  [[nodiscard]] static constexpr Index patch_values() { return Index{1} << 24U; }

  [[nodiscard]] cudaStream_t stream() const { return stream_; }
  [[nodiscard]] CudaPrecision precision() const { return precision_; }

 private:
  [[nodiscard]] Index most_blocks() const { return Index{32} * processors_; }
  [[nodiscard]] unsigned blocks(Index threads) const {
    return static_cast<unsigned>(
        std::min<Index>((threads + block_size - 1) / block_size, most_blocks()));
  }

  template <class... Pointers>
  static bool packs(const Pointers*... pointers) {
    return ((reinterpret_cast<std::uintptr_t>(pointers) % sizeof(Pack<float>) == 0) && ...);
  }
  static Pack<float>* as_packs(float* values) { return reinterpret_cast<Pack<float>*>(values); }
  static const Pack<float>* as_packs(const float* values) {
    return reinterpret_cast<const Pack<float>*>(values);
  }

  [[nodiscard]] cublasComputeType_t compute_type() const {
    switch (precision_) {
      case CudaPrecision::tf32:
        return CUBLAS_COMPUTE_32F_FAST_TF32;
      case CudaPrecision::fp16:
        return CUBLAS_COMPUTE_32F_FAST_16F;
      case CudaPrecision::bf16:
        return CUBLAS_COMPUTE_32F_FAST_16BF;
      default:
        return CUBLAS_COMPUTE_32F;
    }
  }

  CudaPrecision precision_;
  int processors_{};
  cudaStream_t stream_{};
  cublasHandle_t cublas_{};
  GrowingMemory partial_;
  GrowingMemory scratch_;
};

}  // namespace dbsim::calib
