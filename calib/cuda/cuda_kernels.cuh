#pragma once
// The launch patterns of calib/kernels/layer_ops.hpp as CUDA kernels.
#include "calib/cuda/cuda_teams.cuh"
#include "calib/kernels/host_device.hpp"

namespace dbsim::calib {

/// Four values that are loaded and stored at once.
template <class T>
struct alignas(4 * sizeof(T)) Pack {
  T value[4];
};

__device__ inline Index first_thread() { return Index{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ inline Index all_threads() { return Index{gridDim.x} * blockDim.x; }

template <class T, class Body, class... Inputs>
__global__ void map_kernel(Index n, Body body, T* out, const Inputs*... in) {
  for (Index i = first_thread(); i < n; i += all_threads()) out[i] = body(i, in[i]...);
}

template <class T, class Body, class... Packs>
__device__ void map_pack(Index first, const Body& body, Pack<T>& out, const Packs&... in) {
#pragma unroll
  for (int k = 0; k < 4; ++k) out.value[k] = body(first + k, in.value[k]...);
}

template <class T, class Body, class... Packs>
__global__ void map_packs_kernel(Index packs, Body body, Pack<T>* out, const Packs*... in) {
  for (Index i = first_thread(); i < packs; i += all_threads()) {
    Pack<T> result;
    map_pack(4 * i, body, result, in[i]...);
    out[i] = result;
  }
}

template <class T, class Body, class... Inputs>
__global__ void map_channels_kernel(Index n, Index channels, Body body, T* out,
                                    const Inputs*... in) {
  for (Index i = first_thread(); i < n; i += all_threads()) {
    const Index row = quotient(i, channels);
    out[i] = body(row, i - row * channels, in[i]...);
  }
}

template <class T, class Body, class... Packs>
__device__ void map_channel_pack(Index row, Index channel, const Body& body, Pack<T>& out,
                                 const Packs&... in) {
#pragma unroll
  for (int k = 0; k < 4; ++k) out.value[k] = body(row, channel + k, in.value[k]...);
}

template <class T, class Body, class... Packs>
__global__ void map_channel_packs_kernel(Index packs, Index packs_a_row, Body body, Pack<T>* out,
                                         const Packs*... in) {
  for (Index i = first_thread(); i < packs; i += all_threads()) {
    const Index row = quotient(i, packs_a_row);
    Pack<T> result;
    map_channel_pack(row, 4 * (i - row * packs_a_row), body, result, in[i]...);
    out[i] = result;
  }
}

template <class Body>
__global__ void for_each_kernel(Index n, Body body) {
  for (Index i = first_thread(); i < n; i += all_threads()) body(i);
}

template <class Body>
__global__ void for_each_channel_kernel(Index n, Index channels, Body body) {
  for (Index i = first_thread(); i < n; i += all_threads()) {
    const Index row = quotient(i, channels);
    body.at(row)(i - row * channels);
  }
}

template <class Body>
__global__ void warp_teams_kernel(Index teams, Body body) {
  const WarpTeam team;
  const Index step = all_threads() / warp_size;
  for (Index i = first_thread() / warp_size; i < teams; i += step) body(i, team);
}

template <class T, class Body>
__global__ void block_teams_kernel(Index teams, Body body) {
  __shared__ T shared[block_size / warp_size];
  const BlockTeam<T> team{shared};
  for (Index i = blockIdx.x; i < teams; i += gridDim.x) body(i, team);
}

template <class T>
__global__ void copy_columns_kernel(Index n, Index columns, const T* from, Index from_stride, T* to,
                                    Index to_stride) {
  for (Index i = first_thread(); i < n; i += all_threads()) {
    const Index row = quotient(i, columns);
    const Index column = i - row * columns;
    to[row * to_stride + column] = from[row * from_stride + column];
  }
}

// Column sums: a block adds 32 columns over a piece of a segment's rows, eight rows at a time, so
// that neighbouring threads read neighbouring columns. A second kernel adds the pieces.

inline constexpr unsigned tile_columns = 32;
inline constexpr unsigned tile_rows = 8;

struct ColumnPieces {
  Index rows;  // of a segment
  Index columns;
  Index pieces;  // a segment
  Index rows_a_piece;
};

template <class T, class Body>
__global__ void sum_pieces_kernel(ColumnPieces cut, Index first_segment, Body body, T* partial) {
  constexpr int sums = Body::sums;
  __shared__ T shared[sums][tile_rows][tile_columns];
  const Index column = Index{blockIdx.x} * tile_columns + threadIdx.x;
  const Index piece = blockIdx.y;
  const Index segment = first_segment + blockIdx.z;
  const Index first = segment * cut.rows + piece * cut.rows_a_piece;
  const Index end_of_segment = (segment + 1) * cut.rows;
  const Index end =
      first + cut.rows_a_piece < end_of_segment ? first + cut.rows_a_piece : end_of_segment;
  T sum[sums] = {};
  if (column < cut.columns) {
    for (Index row = first + threadIdx.y; row < end; row += tile_rows) {
      T value[sums];
      body.load(row, column, value);
#pragma unroll
      for (int k = 0; k < sums; ++k) sum[k] += value[k];
    }
  }
#pragma unroll
  for (int k = 0; k < sums; ++k) shared[k][threadIdx.y][threadIdx.x] = sum[k];
  __syncthreads();
  if (threadIdx.y != 0 || column >= cut.columns) return;
#pragma unroll
  for (int k = 0; k < sums; ++k) {
    T all{0};
    for (unsigned row = 0; row < tile_rows; ++row) all += shared[k][row][threadIdx.x];
    partial[((segment * cut.pieces + piece) * sums + k) * cut.columns + column] = all;
  }
}

template <class T, class Body>
__global__ void store_sums_kernel(Index segments, ColumnPieces cut, Body body, const T* partial) {
  constexpr int sums = Body::sums;
  for (Index i = first_thread(); i < segments * cut.columns; i += all_threads()) {
    const Index segment = quotient(i, cut.columns);
    const Index column = i - segment * cut.columns;
    double total[sums] = {};
    for (Index piece = 0; piece < cut.pieces; ++piece) {
#pragma unroll
      for (int k = 0; k < sums; ++k) {
        total[k] += static_cast<double>(
            partial[((segment * cut.pieces + piece) * sums + k) * cut.columns + column]);
      }
    }
    body.store(segment, column, total);
  }
}

}  // namespace dbsim::calib
