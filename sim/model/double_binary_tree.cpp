#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/model/collective_algorithms.hpp"

namespace dbsim {

namespace {

// Place 0 is the root. A parent's lowest set bit is one higher than its child's; where the place to
// the right of the child is beyond the end, the one to its left takes the child.
NodeIndex parent_of(NodeIndex place, NodeIndex places) {
  const NodeIndex height = place & (~place + 1);
  const NodeIndex left = place ^ height;
  const NodeIndex right = left | (height << 1);
  return right < places ? right : left;
}

enum class Tree : std::uint8_t { first, second };

NodeIndex host_at(NodeIndex place, Tree tree, NodeIndex workers) {
  if (tree == Tree::first) return place;
  return workers % 2 == 0 ? workers - 1 - place : (place + 1) % workers;
}

// Message i of a stage is that of place i + 1, after those of the tree before.
void add_tree(Tree tree, NodeIndex workers, Bytes chunk, Stage& reduce, Stage& broadcast) {
  const auto first = static_cast<MessageIndex>(reduce.pattern.size());
  const MessageIndex to_broadcast = 2 * (workers - 1);  // the reduce stage's messages come first
  for (NodeIndex place = 1; place < workers; ++place) {
    const NodeIndex child = host_at(place, tree, workers);
    const NodeIndex parent = host_at(parent_of(place, workers), tree, workers);
    reduce.pattern.push_back({.from = child, .to = parent, .size = chunk});
    broadcast.pattern.push_back({.from = parent, .to = child, .size = chunk});
  }
  for (NodeIndex place = 1; place < workers; ++place) {
    const MessageIndex edge = first + place - 1;
    const NodeIndex parent = parent_of(place, workers);
    if (parent == 0) {
      broadcast.pattern[edge].after.push_back({.message = edge, .rounds_back = all_rounds});
      continue;
    }
    const MessageIndex above = first + parent - 1;
    reduce.pattern[above].after.push_back({.message = edge});
    broadcast.pattern[edge].after.push_back({.message = to_broadcast + above});
  }
}

}  // namespace

Schedule double_binary_tree(std::size_t workers, Bytes size, Bytes chunk) {
  if (workers <= 1) return Schedule{{}, 0};
  check(chunk.count() > 0.0, "a chunk has bytes");
  const double half = size.count() / 2.0;
  const double chunks = std::max(1.0, std::ceil(half / chunk.count()));
  const auto n = static_cast<NodeIndex>(workers);
  std::vector<Stage> stages(2);
  for (const Tree tree : {Tree::first, Tree::second}) {
    add_tree(tree, n, Bytes{half / chunks}, stages[0], stages[1]);
  }
  for (Stage& stage : stages) stage.rounds = static_cast<std::int64_t>(chunks);
  return Schedule{std::move(stages)};
}

}  // namespace dbsim
