#include "calib/backend/device_error.hpp"
#include "calib/cuda/cuda_device.hpp"
#include "calib/cuda/cuda_load.hpp"

namespace dbsim::calib {

namespace {
constexpr const char* reason = "this build has no CUDA half (configure with -DDBSIM_CUDA=ON)";
}

std::vector<CudaDeviceInfo> cuda_devices() { return {{"", reason}}; }
bool has_cudnn() { return false; }
std::unique_ptr<CudaDevice> make_cuda_device(int, CudaLibrary) { throw DeviceError{reason}; }
std::unique_ptr<Ops<float>> make_cuda_ops(const CudaSettings&) { throw DeviceError{reason}; }

std::unique_ptr<BackgroundLoad> make_cuda_load(CudaLoadKind, int) { throw DeviceError{reason}; }

}  // namespace dbsim::calib
