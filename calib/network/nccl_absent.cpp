#include <stdexcept>

#include "calib/network/nccl_all_reduce.hpp"

namespace dbsim::calib {

std::string nccl_unusable() { return "dbsim was built without CUDA and NCCL"; }

int nccl_devices() { return 0; }

std::unique_ptr<AllReduce> make_nccl_all_reduce(std::int64_t) {
  throw std::runtime_error{nccl_unusable()};
}

}  // namespace dbsim::calib
