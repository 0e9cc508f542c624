#pragma once
// What a reader of the numbers should know, one sentence each.
#include <optional>
#include <string>
#include <vector>

#include "calib/measure/measure.hpp"
#include "calib/measure/samples.hpp"

namespace dbsim::calib {

/// How step times moved over the whole of measuring, all batches together: a line through the
/// relative deviations of the visits that count from their batch's median.
struct Drift {
  double change{};  // relative, from the first visit to the last
  double error{};   // its standard error
};
/// Empty when there are too few visits to tell.
[[nodiscard]] std::optional<Drift> drift_of(const Measurement& measurement);

/// Drift, throttling, disturbed visits, a precision that was not reached, how well the memory's
/// limit is known, batches that were left out.
[[nodiscard]] std::vector<std::string> remarks_on(const Measurement& measurement,
                                                  const MeasureOptions& options);

}  // namespace dbsim::calib
