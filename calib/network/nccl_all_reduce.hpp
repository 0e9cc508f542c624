#pragma once
// All-reduce between all GPUs of this host, in one process. Without NCCL (nccl_absent.cpp) the same
// functions say so.
#include <cstdint>
#include <memory>
#include <string>

#include "calib/network/all_reduce.hpp"

namespace dbsim::calib {

/// Exactly why NCCL cannot be used, as half a sentence; empty when there are GPUs for it.
[[nodiscard]] std::string nccl_unusable();
/// How many GPUs there are; 0 where NCCL cannot be used.
[[nodiscard]] int nccl_devices();
/// Messages up to `largest` bytes, between all GPUs. std::runtime_error, naming the call, when CUDA
/// or NCCL fails.
[[nodiscard]] std::unique_ptr<AllReduce> make_nccl_all_reduce(std::int64_t largest);

}  // namespace dbsim::calib
