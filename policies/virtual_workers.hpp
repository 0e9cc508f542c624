#pragma once
// Virtual workers (IIDP and JABAS, EuroSys 2025, https://github.com/unist-ssl/IIDP at 1de2e40): one
// local batch for everybody, several replicas of the worker on a fast device.
#include <cstdint>
#include <memory>
#include <optional>

#include "sim/policy/policy.hpp"

namespace dbsim {

struct VirtualWorkersSettings {
  std::optional<std::int64_t> local_batch{};  // of one replica; empty: chosen
};

/// Worker i runs k_i >= 1 replicas of a local batch b that divides the global batch, sum k_i b = B,
/// so that the slowest worker is as fast as it can be; k replicas on one device are taken to last
/// as long as one batch of k b under its profile, which is also what the simulator takes.
///
/// Without a local batch, the best of those that every profile has measured, and of equally good
/// ones the largest; where profiles are laws without points, the largest power of two of which an
/// equal share holds four. start() throws std::invalid_argument when a worker has no profile, or
/// when no such local batch divides the global batch and fits.
[[nodiscard]] std::unique_ptr<Policy> make_virtual_workers(
    const VirtualWorkersSettings& settings = {});

}  // namespace dbsim
