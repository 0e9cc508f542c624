#pragma once
// Another task on the same device, as a co-located job would be. C++17, for .cu files.
#include <cstdint>
#include <string>

namespace dbsim::calib {

/// Keeps the device busy in one way until it is told to stop.
class BackgroundLoad {
 public:
  virtual ~BackgroundLoad() = default;
  /// "compute" (arithmetic units), "memory" (bandwidth) or "training" (the same training again).
  [[nodiscard]] virtual std::string kind() const = 0;
  /// Returns once `intensity` (>= 1) of them run beside a training with this local batch. Not
  /// called while some run.
  virtual void start(int intensity, std::int64_t batch) = 0;
  /// Returns once none runs any more; nothing happens if none did.
  virtual void stop() = 0;
};

}  // namespace dbsim::calib
