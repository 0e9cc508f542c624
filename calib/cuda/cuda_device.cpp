#include "calib/cuda/cuda_device.hpp"

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <utility>

#include "calib/cuda/cuda_error.cuh"
#include "calib/cuda/cuda_probe.hpp"
#include "calib/cuda/cudnn_ops.hpp"
#include "calib/cuda/sensors.hpp"

namespace dbsim::calib {

namespace {

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

/// The reason why no device can be had, or empty.
std::string no_device_reason(int& count) {
  count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess) return count > 0 ? "" : "this machine has no CUDA device";
  cudaGetLastError();
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  if (driver == 0) return "no NVIDIA driver is installed";
  if (status == cudaErrorInsufficientDriver) {
    return fmt::format("the NVIDIA driver is too old: it supports CUDA {}, this program needs {}",
                       version_text(driver), version_text(runtime));
  }
  if (status == cudaErrorNoDevice) return "the NVIDIA driver sees no device";
  return cudaGetErrorString(status);
}

class RealCudaDevice : public CudaDevice {
 public:
  RealCudaDevice(int number, CudaLibrary library) : number_{number}, library_{library} {
    check_cuda(cudaSetDevice(number));
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    char bus[32] = {};
    check_cuda(cudaDeviceGetPCIBusId(bus, sizeof bus, number));
    sensors_ = open_sensors(bus);
  }
  ~RealCudaDevice() override {
    for (cudaEvent_t event : events_) cudaEventDestroy(event);
    cudaStreamDestroy(stream_);
  }

  [[nodiscard]] void* stream() const override { return stream_; }

  [[nodiscard]] DeviceDescription description() const override {
    cudaDeviceProp properties{};
    check_cuda(cudaGetDeviceProperties(&properties, number_));
    int runtime = 0;
    check_cuda(cudaRuntimeGetVersion(&runtime));
    DeviceDescription description;
    description.name = properties.name;
    description.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    description.driver = sensors_->driver();
    description.backend = fmt::format("CUDA {}, cuBLAS", version_text(runtime));
    if (library_ == CudaLibrary::cudnn) description.backend += ", " + cudnn_version();
    return description;
  }

  [[nodiscard]] DeviceState state() override { return sensors_->state(); }

  [[nodiscard]] void* allocate(std::size_t bytes) override {
    check_cuda(cudaSetDevice(number_));
    void* memory = nullptr;
    const cudaError_t status = cudaMalloc(&memory, bytes);
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      return nullptr;
    }
    check_cuda(status);
    return memory;
  }
  void release(void* memory) override { cudaFree(memory); }

  void upload(void* to, const void* from, std::size_t bytes) override {
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_));
    wait();
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_));
    wait();
  }
  void wait() override { check_cuda(cudaStreamSynchronize(stream_)); }

  void mark(int number) override {
    while (events_.size() <= static_cast<std::size_t>(number)) {
      cudaEvent_t event = nullptr;
      check_cuda(cudaEventCreate(&event));
      events_.push_back(event);
    }
    check_cuda(cudaEventRecord(events_[static_cast<std::size_t>(number)], stream_));
  }
  [[nodiscard]] double seconds(int from, int to) override {
    float milliseconds = 0.0F;
    check_cuda(cudaEventElapsedTime(&milliseconds, events_[static_cast<std::size_t>(from)],
                                    events_[static_cast<std::size_t>(to)]));
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  int number_;
  CudaLibrary library_;
  cudaStream_t stream_{};
  std::vector<cudaEvent_t> events_;
  std::unique_ptr<Sensors> sensors_;
};

/// Why the code in this program does not run on it, or empty.
std::string unusable_reason(int number, const cudaDeviceProp& properties) {
  int mode = cudaComputeModeDefault;
  check_cuda(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, number));
  if (mode == cudaComputeModeProhibited) return "its compute mode is prohibited";
  if (!kernels_run_on(number)) {
    return fmt::format(
        "its compute capability {}.{} is too old for this build (configure with "
        "-DCMAKE_CUDA_ARCHITECTURES={}{})",
        properties.major, properties.minor, properties.major, properties.minor);
  }
  return "";
}

}  // namespace

std::vector<CudaDeviceInfo> cuda_devices() {
  int count = 0;
  const std::string reason = no_device_reason(count);
  if (!reason.empty()) return {{"", reason}};
  std::vector<CudaDeviceInfo> devices;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (const cudaError_t status = cudaGetDeviceProperties(&properties, i); status != cudaSuccess) {
      cudaGetLastError();
      devices.push_back({"", cudaGetErrorString(status)});
      continue;
    }
    devices.push_back({fmt::format("{}, {:.0f} GB", properties.name,
                                   static_cast<double>(properties.totalGlobalMem) / 1e9),
                       unusable_reason(i, properties)});
  }
  return devices;
}

std::unique_ptr<CudaDevice> make_cuda_device(int number, CudaLibrary library) {
  return std::make_unique<RealCudaDevice>(number, library);
}

}  // namespace dbsim::calib
