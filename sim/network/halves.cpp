#include "sim/network/halves.hpp"

#include <cmath>
#include <cstddef>

#include "sim/base/check.hpp"

namespace dbsim {

std::vector<Prediction> predict_other_half(std::span<const MessageTime> measured) {
  check(measured.size() > 2, "two sizes are fitted at least, and one is left");
  std::vector<MessageTime> fitted;
  for (std::size_t i = 0; i < measured.size(); i += 2) fitted.push_back(measured[i]);
  const NetworkFit fit = fit_network(fitted);
  std::vector<Prediction> predictions;
  for (std::size_t i = 1; i < measured.size(); i += 2) {
    const MessageTime& left = measured[i];
    predictions.push_back({left.bytes, left.time, fit.time(left.bytes)});
  }
  return predictions;
}

std::vector<double> relative_errors(std::span<const Prediction> predictions) {
  std::vector<double> errors;
  for (const Prediction& one : predictions) {
    errors.push_back(std::abs(one.predicted / one.measured - 1.0));
  }
  return errors;
}

}  // namespace dbsim
