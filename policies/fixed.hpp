#pragma once
// S-SGD: the same local batch everywhere, or local batches set by hand; never adapts.
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/policy/policy.hpp"

namespace dbsim {

/// `batches` empty: B/n each, and the first workers one more where n does not divide B. Otherwise
/// these, one for each worker; their sum is then this policy's own global batch.
/// start() throws std::invalid_argument when a worker's memory cannot hold its batch.
[[nodiscard]] std::unique_ptr<Policy> make_fixed(std::vector<std::int64_t> batches = {});

}  // namespace dbsim
