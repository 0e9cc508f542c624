#include "calib/backend/device_error.hpp"
#include "calib/cuda/cudnn_ops.hpp"

namespace dbsim::calib {

bool has_cudnn() { return false; }
std::string cudnn_version() { return {}; }
std::unique_ptr<Ops<float>> make_cudnn_ops(const CudaSettings&) {
  throw DeviceError{"this build has no cuDNN"};
}

}  // namespace dbsim::calib
