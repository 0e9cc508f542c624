#include "calib/cuda/sensors.hpp"

#include <dlfcn.h>

#include <array>

namespace dbsim::calib {

namespace {

// The part of NVML's binary interface that is used here; its header comes with neither the driver
// nor every toolkit. Names and values: NVIDIA's NVML reference.
using NvmlDevice = struct NvmlDeviceHandle*;
constexpr int nvml_success = 0;
constexpr int nvml_clock_sm = 1;
constexpr int nvml_temperature_gpu = 0;
// Reasons other than "nothing to do" and "the user set clocks": power cap, thermal, brake.
constexpr unsigned long long nvml_slowed = 0x4ULL | 0x8ULL | 0x20ULL | 0x40ULL | 0x80ULL;

class Library {
 public:
  Library() : handle_{dlopen("libnvidia-ml.so.1", RTLD_NOW)} {}
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  template <class Function>
  [[nodiscard]] Function* find(const char* name) const {
    return handle_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(handle_, name));
  }

 private:
  void* handle_;
};

class NvmlSensors : public Sensors {
 public:
  explicit NvmlSensors(const std::string& bus_id) {
    auto* const init = library_.find<int()>("nvmlInit_v2");
    auto* const find =
        library_.find<int(const char*, NvmlDevice*)>("nvmlDeviceGetHandleByPciBusId_v2");
    if (init == nullptr || find == nullptr || init() != nvml_success) return;
    if (find(bus_id.c_str(), &device_) != nvml_success) device_ = nullptr;
  }

  [[nodiscard]] std::string driver() const override {
    auto* const ask = library_.find<int(char*, unsigned)>("nvmlSystemGetDriverVersion");
    std::array<char, 96> text{};
    if (ask == nullptr || ask(text.data(), text.size()) != nvml_success) return {};
    return text.data();
  }

  [[nodiscard]] DeviceState state() const override {
    DeviceState state;
    if (device_ == nullptr) return state;
    unsigned value = 0;
    auto* const clock = library_.find<int(NvmlDevice, int, unsigned*)>("nvmlDeviceGetClockInfo");
    if (clock != nullptr && clock(device_, nvml_clock_sm, &value) == nvml_success) {
      state.clock_hz = value * 1e6;
    }
    auto* const heat = library_.find<int(NvmlDevice, int, unsigned*)>("nvmlDeviceGetTemperature");
    if (heat != nullptr && heat(device_, nvml_temperature_gpu, &value) == nvml_success) {
      state.temperature_celsius = value;
    }
    unsigned long long reasons = 0;
    auto* const slowed = library_.find<int(NvmlDevice, unsigned long long*)>(
        "nvmlDeviceGetCurrentClocksThrottleReasons");
    if (slowed != nullptr && slowed(device_, &reasons) == nvml_success) {
      state.throttled = (reasons & nvml_slowed) != 0;
    }
    return state;
  }

 private:
  Library library_;
  NvmlDevice device_{};
};

}  // namespace

std::unique_ptr<Sensors> open_sensors(const std::string& bus_id) {
  return std::make_unique<NvmlSensors>(bus_id);
}

}  // namespace dbsim::calib
