#pragma once
// Who trains on which samples, and in what order.
#include <cstdint>
#include <vector>

#include "sim/base/random.hpp"

namespace dbsim::calib {

/// Samples by index.
using SampleOrder = std::vector<std::int64_t>;

/// Deals 0 ... samples - 1 out at random, once for a whole training; sizes differ by one at most.
[[nodiscard]] std::vector<SampleOrder> deal_samples(std::int64_t samples, std::size_t workers,
                                                    const RandomStreams& streams);

/// The samples of a worker as it takes them in an epoch. Depends on the worker and the epoch, not
/// on what was drawn before.
[[nodiscard]] SampleOrder epoch_order(const SampleOrder& dealt, std::size_t worker,
                                      std::size_t epoch, const RandomStreams& streams);

}  // namespace dbsim::calib
