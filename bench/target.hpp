#pragma once
// The ways to run layers on this machine, found when the program starts.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/roofline.hpp"
#include "calib/backend/device.hpp"
#include "calib/kernels/ops.hpp"

namespace dbsim::bench {

/// Layers, and the device they run on, which outlives them.
struct Engine {
  std::unique_ptr<calib::Device> device;
  std::unique_ptr<calib::Ops<float>> ops;
};

/// One device with one library, and a number of threads or a number format.
struct Target {
  std::string name;         // "cpu-onednn/threads:1", "cuda:0-cudnn/tf32"
  std::string description;  // the device's name, then its libraries with their versions
  std::function<Engine()> make;
  bool is_gpu{false};
  bool all_cores{true};  // false: some of the host's cores stay idle
};

/// Those that can be used.
[[nodiscard]] const std::vector<Target>& targets();
/// Each target with its description, then each CUDA device that is left out with the reason.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> describe_targets();

/// Measured at the first call and then remembered. Throws calib::OutOfMemory.
[[nodiscard]] const Peaks& peaks_of(const Target& target);

}  // namespace dbsim::bench
