#include <stdexcept>

#include "calib/cuda/cudnn_ops.hpp"

namespace dbsim::calib {

bool has_cudnn() { return false; }
std::string cudnn_version() { return {}; }
std::unique_ptr<Ops<float>> make_cudnn_ops(const CudaSettings&) {
  throw std::runtime_error{"this build has no cuDNN"};
}

}  // namespace dbsim::calib
