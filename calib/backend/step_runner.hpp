#pragma once
// One device that trains one model: the only thing that measuring needs to know.
#include <cstdint>
#include <string>
#include <vector>

namespace dbsim::calib {

/// Seconds of one training step, synchronised with the device at both ends.
struct StepTimes {
  double step{};  // whole: from the batch being in place to the last parameter being updated
  double forward{};
  double backward{};
  double update{};
  /// Seconds after the start of backward at which each gradient bucket was complete; as many as
  /// StepRunner::buckets().
  std::vector<double> bucket_ready;
};

/// A group of gradients that would be all-reduced together, in the order in which backward fills
/// them.
struct GradientBucket {
  std::int64_t bytes{};
};

struct DeviceDescription {
  std::string name;             // "NVIDIA H100 80GB HBM3", "Intel(R) Xeon(R) ..., 2 threads"
  std::int64_t memory_bytes{};  // that a training process may use
  std::string driver;           // empty when it has none
  std::string backend;          // libraries that ran the steps, with versions
};

/// What the device's own sensors said, where it has some.
struct DeviceState {
  double clock_hz{};             // 0: not known
  double temperature_celsius{};  // 0: not known
  bool throttled{false};         // the device says that it lowers its clocks
};

/// Trains one model on one device with random data, one local batch size at a time.
class StepRunner {
 public:
  virtual ~StepRunner() = default;
  [[nodiscard]] virtual DeviceDescription device() const = 0;
  [[nodiscard]] virtual DeviceState state() = 0;
  /// Makes room for steps of this local batch. False when the memory does not suffice; then nothing
  /// is prepared. Preparing another batch gives the former room back.
  [[nodiscard]] virtual bool prepare(std::int64_t batch) = 0;
  /// One step of the prepared batch.
  virtual StepTimes step() = 0;
  /// Memory the prepared batch takes, parameters included.
  [[nodiscard]] virtual std::int64_t memory_bytes() const = 0;
  [[nodiscard]] virtual const std::vector<GradientBucket>& buckets() const = 0;
};

}  // namespace dbsim::calib
