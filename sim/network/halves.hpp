#pragma once
// How well the fit tells sizes that it has not seen.
#include <span>
#include <vector>

#include "sim/network/fit_network.hpp"

namespace dbsim {

struct Prediction {
  Bytes bytes;
  Seconds measured;
  Seconds predicted;
};

/// Fits the first, third, fifth size and so on, and predicts the others. Needs three sizes, as
/// fit_network wants them.
[[nodiscard]] std::vector<Prediction> predict_other_half(std::span<const MessageTime> measured);

/// |predicted / measured - 1| of each.
[[nodiscard]] std::vector<double> relative_errors(std::span<const Prediction> predictions);

}  // namespace dbsim
