#pragma once
// Benchmarks that depend on what this machine has, added when the program starts.
#include <benchmark/benchmark.h>

#include "calib/backend/device.hpp"

namespace dbsim::bench {

/// peak/TARGET and kernel/NAME/TARGET.
void register_kernels();
/// model/NAME/TARGET/batch:N.
void register_models();

/// run(state, arguments...); a row that needs more memory than the device has says so and is
/// skipped.
template <class Run, class... Arguments>
void where_it_fits(benchmark::State& state, const Run& run, const Arguments&... arguments) {
  try {
    run(state, arguments...);
  } catch (const calib::OutOfMemory&) {
    state.SkipWithError("does not fit in the device's memory");
  }
}

}  // namespace dbsim::bench
