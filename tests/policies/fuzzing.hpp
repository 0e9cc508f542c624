#pragma once
// Measurements and clusters that nobody would believe.
#include <cstddef>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/policy/policy.hpp"

namespace dbsim::test {

/// Zeros, infinities, NaN, negative and tiny times, vanished workers, among credible ones.
[[nodiscard]] std::vector<Measurement> fuzzed(RandomStream& random, const Decision& decision);

/// One sample each, within memory, and the sum B.
[[nodiscard]] bool keeps_limits(const ClusterView& cluster, const Decision& decision);

/// Workers of which nothing is known but, of some, their memory.
[[nodiscard]] ClusterView fuzzed_cluster(RandomStream& random, std::size_t workers);
void give_profiles(RandomStream& random, ClusterView& cluster);

}  // namespace dbsim::test
