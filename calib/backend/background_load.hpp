#pragma once
// Another task on the same device, as a co-located job would be. C++17, for .cu files.
#include <string>

namespace dbsim::calib {

/// Keeps the device busy in one way until it is told to stop.
class BackgroundLoad {
 public:
  virtual ~BackgroundLoad() = default;
  /// "compute" (arithmetic units), "memory" (bandwidth) or "copy" (between host and device, or
  /// between two places of the host).
  [[nodiscard]] virtual std::string kind() const = 0;
  /// Returns once `intensity` (>= 1) of them run. Not called while some run.
  virtual void start(int intensity) = 0;
  /// Returns once none runs any more; nothing happens if none did.
  virtual void stop() = 0;
};

}  // namespace dbsim::calib
