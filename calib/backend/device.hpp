#pragma once
// Where tensors live and how time is told there. C++17: nvcc reads this header.
#include <cstddef>
#include <stdexcept>

#include "calib/backend/step_runner.hpp"

namespace dbsim::calib {

/// Thrown by work that needs more memory than the device has.
class OutOfMemory : public std::runtime_error {
 public:
  OutOfMemory() : std::runtime_error{"out of device memory"} {}
};

/// Work is queued in order; only the functions that say so wait for it.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  [[nodiscard]] virtual DeviceDescription description() const = 0;
  [[nodiscard]] virtual DeviceState state() = 0;

  /// Null when the memory does not suffice. Released with release().
  [[nodiscard]] virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) = 0;
  /// Both wait.
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;

  virtual void wait() = 0;
  /// Notes the instant at which all work queued so far is done. Marks are numbered from 0.
  virtual void mark(int number) = 0;
  /// Seconds from one mark to another; both must have been passed (wait).
  [[nodiscard]] virtual double seconds(int from, int to) = 0;
};

}  // namespace dbsim::calib
