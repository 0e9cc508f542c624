#pragma once
// From a run of nccl-tests to a network file.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/import/nccl_tests.hpp"
#include "sim/network/network_document.hpp"

namespace dbsim {

struct NcclChoice {
  enum class Place { in_place, out_of_place, faster };
  Place place{Place::in_place};                // as gradients are summed
  std::vector<std::int64_t> ranks_per_host{};  // instead of what the run says of itself
};

/// The points of the network, one a size, and the fit to them. The number of ranks must agree with
/// busbw = size / time * 2(n - 1)/n as printed; where nobody says it, it is told from that.
/// InputError where it does not agree, cannot be told, is one, or where there are less than two
/// sizes; `file` is named in messages.
[[nodiscard]] NetworkDocument to_network(const NcclTests& tests, const NcclChoice& choice,
                                         const std::string& file);

}  // namespace dbsim
