#pragma once
// How gradients are combined, ready to be played.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/model/collective.hpp"
#include "sim/scenario/collective_spec.hpp"
#include "sim/scenario/message_spec.hpp"

namespace dbsim {

struct CollectiveSetup {
  CollectiveAlgorithm algorithm{CollectiveAlgorithm::ring};
  std::size_t servers{1};         // of the parameter server, hosts of their own
  std::size_t ranks_per_node{1};  // hierarchical
  Bytes chunk{1.0};               // double binary tree
  CollectiveDetail detail{CollectiveDetail::message};
  MessageSpec messages{};   // what each costs beside the links
  Bytes gradient;           // all-reduced in each step
  std::int64_t buckets{1};  // equal parts of the gradient, reduced one after another
  friend bool operator==(const CollectiveSetup&, const CollectiveSetup&) = default;
};

/// Hosts that take part: workers first, then servers.
[[nodiscard]] std::size_t hosts_of(const CollectiveSetup& setup, std::size_t workers);
[[nodiscard]] Bytes bucket_of(const CollectiveSetup& setup);
/// What a bucket of that size sends.
[[nodiscard]] Schedule schedule_of(const CollectiveSetup& setup, std::size_t workers, Bytes bucket);
/// Whether it starts once all workers have arrived. A parameter server takes each gradient as it
/// comes; elsewhere whoever is late holds up all others within a few rounds.
[[nodiscard]] bool waits_for_all(CollectiveAlgorithm algorithm);
/// What a reader should know of the choice.
[[nodiscard]] std::vector<std::string> warnings_about(const CollectiveSetup& setup,
                                                      std::size_t workers);

}  // namespace dbsim
