#pragma once
// Which devices there are, and how to get one to train a model.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "calib/backend/background_load.hpp"
#include "calib/backend/device_error.hpp"
#include "calib/backend/step_runner.hpp"
#include "calib/spec/model.hpp"

namespace dbsim::calib {

struct ListedDevice {
  std::string name;         // as --device takes it: "cpu", "cuda:0"
  std::string description;  // "NVIDIA H100 80GB HBM3, 80 GB"; may be empty where it is unusable
  std::string unusable;     // exactly why it cannot be used, as half a sentence; empty: it can
  std::vector<std::string> backends;    // besides "auto"; the one that auto takes comes first
  std::vector<std::string> precisions;  // "fp32" first
};

struct StepRunnerRequest {
  std::string device;  // as listed
  std::string backend{"auto"};
  std::string precision{"fp32"};
  int threads{0};         // of the host; 0: as many as it has cores
  std::uint64_t seed{1};  // of parameters and data
  Model model;
};

/// Devices of one kind: one implementation for the CPU, one for CUDA.
class DeviceFamily {
 public:
  virtual ~DeviceFamily() = default;
  /// Those that cannot be used too, each with the reason: no driver, a driver too old, no device.
  [[nodiscard]] virtual std::vector<ListedDevice> list() const = 0;
  /// For a device of this family that is not unusable, with a backend and a precision that it
  /// lists. InputError when it cannot run an operation of the model; DeviceError when the device
  /// fails, here and in all that the runner does later.
  [[nodiscard]] virtual std::unique_ptr<StepRunner> make_step_runner(
      const StepRunnerRequest& request) const = 0;
  /// One per kind that the device can do, on the same device as such a runner.
  [[nodiscard]] virtual std::vector<std::unique_ptr<BackgroundLoad>> make_background_loads(
      const StepRunnerRequest& request) const = 0;
};

using DeviceFamilies = std::vector<std::unique_ptr<DeviceFamily>>;

}  // namespace dbsim::calib
