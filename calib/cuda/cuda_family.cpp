#include "calib/cuda/cuda_family.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "calib/backend/cpu_load.hpp"
#include "calib/backend/network_runner.hpp"
#include "calib/cuda/cuda_device.hpp"
#include "calib/cuda/cuda_load.hpp"
#include "sim/base/check.hpp"

namespace dbsim::calib {

namespace {

int number_of(const std::string& name) {
  constexpr std::string_view prefix = "cuda:";
  check(name.rfind(prefix, 0) == 0, "a CUDA device is called cuda: and its number");
  return std::stoi(name.substr(prefix.size()));
}

CudaPrecision precision_of(const std::string& name) {
  if (name == "tf32") return CudaPrecision::tf32;
  if (name == "fp16") return CudaPrecision::fp16;
  if (name == "bf16") return CudaPrecision::bf16;
  return CudaPrecision::fp32;
}

CudaLibrary library_of(const StepRunnerRequest& request) {
  const bool cublas = request.backend == "cublas" || !has_cudnn();
  return cublas ? CudaLibrary::cublas : CudaLibrary::cudnn;
}

class CudaFamily : public DeviceFamily {
 public:
  [[nodiscard]] std::vector<ListedDevice> list() const override {
    std::vector<ListedDevice> devices;
    for (CudaDeviceInfo& info : cuda_devices()) {
      ListedDevice device;
      device.name = fmt::format("cuda:{}", devices.size());
      device.description = std::move(info.name);
      device.unusable = std::move(info.unusable);
      if (has_cudnn()) device.backends.emplace_back("cudnn");
      device.backends.emplace_back("cublas");
      device.precisions = {"fp32", "tf32", "fp16", "bf16"};
      devices.push_back(std::move(device));
    }
    return devices;
  }

  [[nodiscard]] std::unique_ptr<StepRunner> make_step_runner(
      const StepRunnerRequest& request) const override {
    const int number = number_of(request.device);
    const CudaLibrary library = library_of(request);
    auto device = make_cuda_device(number, library);
    auto ops = make_cuda_ops({number, precision_of(request.precision), library, device->stream()});
    return std::make_unique<NetworkRunner>(request.model, std::move(device), std::move(ops),
                                           request.seed);
  }

  [[nodiscard]] std::vector<std::unique_ptr<BackgroundLoad>> make_background_loads(
      const StepRunnerRequest& request) const override {
    const int number = number_of(request.device);
    std::vector<std::unique_ptr<BackgroundLoad>> loads;
    loads.push_back(make_cuda_load(CudaLoadKind::compute, number));
    loads.push_back(make_cuda_load(CudaLoadKind::memory, number));
    loads.push_back(make_training_load([this, request] { return make_step_runner(request); }));
    return loads;
  }
};

}  // namespace

std::unique_ptr<DeviceFamily> make_cuda_family() { return std::make_unique<CudaFamily>(); }

}  // namespace dbsim::calib
