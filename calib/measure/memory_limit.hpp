#pragma once
// Where the device's memory ends: out of memory is an answer, not a failure.
#include <cstdint>
#include <functional>

#include "calib/backend/step_runner.hpp"
#include "calib/measure/samples.hpp"

namespace dbsim::calib {

struct MemorySearch {
  std::int64_t highest{};  // the largest batch to try
  /// The search goes on until the limit is known to this fraction of itself, and beyond that,
  /// to the sample, as long as `may_go_on` says so.
  double resolution{1.0 / 16.0};
  std::function<bool()> may_go_on;
  std::function<bool()> stop;  // ends the search at once; what is known by then is returned
};

/// Only makes room, runs no step. When `highest` fits, the limit is not known: fails stays empty.
[[nodiscard]] MemoryLimit find_memory_limit(StepRunner& runner, const MemorySearch& search);

}  // namespace dbsim::calib
