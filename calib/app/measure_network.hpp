#pragma once
// dbsim-calibrate --network: from options to a network file.
#include "sim/program/command.hpp"

namespace dbsim::calib {

/// Reads --out, --messages, --accuracy, --budget, --seed, --quiet. Between MPI ranks each calls it;
/// rank 0 writes the file. UsageError where there is nothing to measure.
[[nodiscard]] Exit measure_network(const Arguments& arguments);

}  // namespace dbsim::calib
