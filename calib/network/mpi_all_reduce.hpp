#pragma once
// All-reduce between MPI ranks, in host memory. Without MPI (mpi_absent.cpp) the same functions say
// so.
#include <cstdint>
#include <memory>
#include <string>

#include "calib/network/all_reduce.hpp"

namespace dbsim::calib {

/// Exactly why MPI cannot be used, as half a sentence; empty when it can.
[[nodiscard]] std::string mpi_unusable();
/// Messages up to `largest` bytes, between all ranks. MPI ends with the object and cannot begin
/// again in the same process. std::runtime_error when some rank has too little memory.
[[nodiscard]] std::unique_ptr<AllReduce> make_mpi_all_reduce(std::int64_t largest);

}  // namespace dbsim::calib
