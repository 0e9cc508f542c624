#pragma once
// Whole models on two devices.
#include <cstdint>
#include <string>
#include <vector>

#include "calib/backend/device.hpp"
#include "calib/kernels/ops.hpp"
#include "calib/spec/model.hpp"

namespace dbsim::calib::test {

/// A shipped model by name.
[[nodiscard]] Model shipped_model(const std::string& name);

/// Relative distances from the same step in double.
struct StepError {
  double loss;
  double gradient;        // all of it in one piece
  double worst;           // of the parameter that is furthest off
  std::string parameter;  // which
};

/// A step of a model on a random batch, in double on the CPU.
class StepInDouble {
 public:
  StepInDouble(Model model, Index samples, std::uint64_t seed);
  [[nodiscard]] StepError error_on(Ops<float>& ops, Device& device) const;

 private:
  Model model_;
  Index samples_;
  std::uint64_t seed_;
  double loss_{};
  std::vector<std::vector<double>> gradients_;
};

/// The same on a few batches, made as they are needed: where rounding moves a unit across a ReLU's
/// corner, and late in the model, that weighs more among few samples than all rounding. It happens
/// to some batches; a wrong operation is wrong in all.
class StepsInDouble {
 public:
  StepsInDouble(Model model, Index samples, std::uint64_t seed);
  /// Of the batch with the smallest; none is tried after one at or below `enough`.
  [[nodiscard]] StepError least_error_on(Ops<float>& ops, Device& device, double enough);

 private:
  Model model_;
  Index samples_;
  std::uint64_t seed_;
  std::vector<StepInDouble> steps_;
};

/// All parameters after some steps, in one piece.
[[nodiscard]] std::vector<float> trained(const Model& model, Index samples, std::uint64_t seed,
                                         Ops<float>& ops, Device& device);

}  // namespace dbsim::calib::test
