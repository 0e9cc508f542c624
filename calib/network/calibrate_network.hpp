#pragma once
// Measuring a network from beginning to end: who adds up, how often, what the file will say.
#include <optional>
#include <stdexcept>
#include <string>

#include "calib/network/measure_all_reduce.hpp"
#include "sim/network/network_document.hpp"

namespace dbsim::calib {

/// There is nothing to all-reduce between; says every reason, and how to start it. Exit code 2.
struct NoNetwork : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Sizes from 8 bytes to 256 MiB, factor 2.
[[nodiscard]] NetworkMeasureOptions default_network_options();

/// Whether mpirun or another launcher of MPI started this process, as its environment says.
[[nodiscard]] bool is_started_by_mpi();

/// Between the ranks that mpirun started; otherwise between all GPUs of this host. The document,
/// fitted, goes to rank 0's process only; all others get nothing and have nothing left to do. Also
/// empty when stopped before two sizes were measured. Call it once per process: MPI ends with it.
/// `program` and `date` are written down. Throws NoNetwork, and std::runtime_error when a device or
/// a sum is wrong.
[[nodiscard]] std::optional<NetworkDocument> calibrate_network(
    const NetworkMeasureOptions& options, const NetworkSurroundings& surroundings,
    const std::string& program, const std::string& date);

/// What a document says of these samples. Needs two sizes.
[[nodiscard]] NetworkDocument network_document(const GroupDescription& group,
                                               const std::vector<SizeSamples>& samples,
                                               const NetworkMeasureOptions& options);

}  // namespace dbsim::calib
