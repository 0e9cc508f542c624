#pragma once
// A device that failed although it could be used: lost, out of order, in somebody else's hands.
// C++17, for .cu files.
#include <stdexcept>

namespace dbsim::calib {

/// What the device's library said, with the call that it said it to. Exit code 1.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace dbsim::calib
