#pragma once
// The CPU as a family of one device.
#include <memory>

#include "calib/backend/devices.hpp"

namespace dbsim::calib {

[[nodiscard]] std::unique_ptr<DeviceFamily> make_cpu_family();

}  // namespace dbsim::calib
