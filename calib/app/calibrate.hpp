#pragma once
// What program dbsim-calibrate does: the table of contents of calibration.
#include "calib/backend/devices.hpp"
#include "sim/program/command.hpp"

namespace dbsim::calib {

/// `families` outlive the command.
[[nodiscard]] Command calibrate_command(const DeviceFamilies& families);

}  // namespace dbsim::calib
