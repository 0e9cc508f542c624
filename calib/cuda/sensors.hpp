#pragma once
// What the driver's management library (NVML) tells of a GPU. It is opened as the program runs: the
// library comes with the driver, not with the toolkit.
#include <memory>
#include <string>

#include "calib/backend/step_runner.hpp"

namespace dbsim::calib {

class Sensors {
 public:
  Sensors() = default;
  Sensors(const Sensors&) = delete;
  Sensors& operator=(const Sensors&) = delete;
  virtual ~Sensors() = default;
  /// "580.82"; empty where it is not known.
  [[nodiscard]] virtual std::string driver() const = 0;
  [[nodiscard]] virtual DeviceState state() const = 0;
};

/// By PCI bus id ("0000:01:00.0"). Without NVML nothing is known, which is no failure.
[[nodiscard]] std::unique_ptr<Sensors> open_sensors(const std::string& bus_id);

}  // namespace dbsim::calib
