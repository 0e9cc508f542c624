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

}  // namespace dbsim::calib
