#pragma once
// Where a run is given up.
#include <stdexcept>

#include "sim/base/units.hpp"

namespace dbsim {

/// Whole nanoseconds end at 292 years; no training lasts as long as one.
inline constexpr Seconds longest_run{100 * 365.25 * 86'400.0};

/// A run that passes 100 simulated years: some number of the scenario is far off.
struct RunTooLong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace dbsim
