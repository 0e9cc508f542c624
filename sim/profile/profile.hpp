#pragma once
// How fast one device trains one model: the contract between calibration and simulation.
#include <optional>
#include <string>
#include <vector>

#include "sim/base/step_time_curve.hpp"
#include "sim/base/units.hpp"

namespace dbsim {

/// A group of gradients that is all-reduced together.
struct ProfileBucket {
  Bytes bytes;
  double ready{};  // fraction of backward after which it is complete
  friend bool operator==(const ProfileBucket&, const ProfileBucket&) = default;
};

struct Profile {
  std::string device;  // empty when not said
  std::string model;   // empty: written for whatever model the scenario trains
  std::string source;  // who measured it, when others published the numbers
  StepTimeCurve step_time;
  double spread{};                       // coefficient of variation of a step time about its median
  std::optional<Samples> max_batch;      // the largest local batch that fits the device's memory
  std::optional<Bytes> parameter_bytes;  // bytes all-reduced per step
  std::optional<double> backward_share{};  // of a step's time
  std::vector<ProfileBucket> buckets{};    // in the order in which backward fills them
};

/// Sigma of the log-normal factor (median 1) whose coefficient of variation is `spread`.
[[nodiscard]] double lognormal_sigma(double spread);

}  // namespace dbsim
