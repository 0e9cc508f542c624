#pragma once
// This machine's cores as a training device.
#include <cstdint>
#include <memory>
#include <string>

#include "calib/backend/device.hpp"
#include "calib/kernels/ops.hpp"

namespace dbsim::calib {

/// Which libraries do the heavy products on the CPU.
enum class CpuLibrary { eigen, onednn };

/// What this build has: oneDNN where it was found.
[[nodiscard]] bool has_onednn();

/// Memory is this process's; "wait" is immediate, since nothing is queued.
[[nodiscard]] std::unique_ptr<Device> make_cpu_device(int threads, CpuLibrary library);

/// Layers on `threads` cores. T is float or double; oneDNN has float only.
template <class T>
[[nodiscard]] std::unique_ptr<Ops<T>> make_cpu_ops(int threads, CpuLibrary library);

extern template std::unique_ptr<Ops<float>> make_cpu_ops<float>(int, CpuLibrary);
extern template std::unique_ptr<Ops<double>> make_cpu_ops<double>(int, CpuLibrary);

}  // namespace dbsim::calib
