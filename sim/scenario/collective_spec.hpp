#pragma once
// How gradients are combined, as the scenario says it.
#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/base/units.hpp"

namespace dbsim {

enum class CollectiveAlgorithm : std::uint8_t {
  ring,
  double_binary_tree,
  halving_doubling,
  hierarchical,
  parameter_server,
};

enum class CollectiveDetail : std::uint8_t {
  message,  // every message of every round
  fluid,    // all rounds of an edge in one flow
};

struct CollectiveSpec {
  CollectiveAlgorithm algorithm{CollectiveAlgorithm::ring};
  std::size_t servers{1};         // of a parameter server: shards, each a host of its own
  std::size_t ranks_per_node{1};  // hierarchical: so many workers in a row are one node
  Bytes chunk{512.0 * 1024.0};    // double binary tree: what travels at a time
  /// The gradient goes in pieces of this size, one after another; empty: whole.
  std::optional<Bytes> bucket{};
  CollectiveDetail detail{CollectiveDetail::message};
  bool overlap{false};  // buckets travel while backward goes on
  friend bool operator==(const CollectiveSpec&, const CollectiveSpec&) = default;
};

}  // namespace dbsim
