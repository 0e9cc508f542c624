#pragma once
// The one place that knows which compiler reads the kernel bodies. C++17, no libraries: nvcc reads
// all of this folder.
#include <cstdint>

#ifdef __CUDACC__
#define DBSIM_HOST_DEVICE __host__ __device__
#else
#define DBSIM_HOST_DEVICE
#endif

namespace dbsim::calib {

using Index = std::int64_t;

/// Of positions below 2^32: a 64-bit division takes a GPU several times as long.
DBSIM_HOST_DEVICE inline Index quotient(Index dividend, Index divisor) {
  return static_cast<Index>(static_cast<std::uint32_t>(dividend) /
                            static_cast<std::uint32_t>(divisor));
}
DBSIM_HOST_DEVICE inline Index remainder(Index dividend, Index divisor) {
  return static_cast<Index>(static_cast<std::uint32_t>(dividend) %
                            static_cast<std::uint32_t>(divisor));
}

}  // namespace dbsim::calib
