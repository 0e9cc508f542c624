#pragma once
// Teams of GPU threads, as the kernel bodies see them.
#include "calib/kernels/host_device.hpp"

namespace dbsim::calib {

inline constexpr unsigned warp_size = 32;
inline constexpr unsigned block_size = 256;

struct SumOf {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct LargestOf {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};

template <class T, class Combine>
__device__ T across_warp(T value, Combine combine) {
  for (unsigned lane = warp_size / 2; lane > 0; lane /= 2) {
    value = combine(value, __shfl_xor_sync(0xffffffffU, value, lane));
  }
  return value;
}

/// The 32 threads of a warp.
struct WarpTeam {
  __device__ Index rank() const { return threadIdx.x % warp_size; }
  __device__ Index size() const { return warp_size; }
  template <class T>
  __device__ T sum(T value) const {
    return across_warp(value, SumOf{});
  }
  template <class T>
  __device__ T max(T value) const {
    return across_warp(value, LargestOf{});
  }
};

/// All threads of a block; `shared` has room for one value a warp.
template <class T>
struct BlockTeam {
  T* shared;
  __device__ Index rank() const { return threadIdx.x; }
  __device__ Index size() const { return block_size; }
  __device__ T sum(T value) const { return across(value, SumOf{}); }
  __device__ T max(T value) const { return across(value, LargestOf{}); }

 private:
  template <class Combine>
  __device__ T across(T value, Combine combine) const {
    value = across_warp(value, combine);
    __syncthreads();  // the former use of `shared` is over
    if (threadIdx.x % warp_size == 0) shared[threadIdx.x / warp_size] = value;
    __syncthreads();
    T all = shared[0];
    for (unsigned warp = 1; warp < block_size / warp_size; ++warp) all = combine(all, shared[warp]);
    return all;
  }
};

}  // namespace dbsim::calib
