#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/model/collective_algorithms.hpp"

namespace dbsim {

namespace {

// Rings side by side: everybody sends to one neighbour. Before the first round both ends have sent
// and received what the stage before asked of them.
class Rings {
 public:
  explicit Rings(NodeIndex workers) : workers_{workers} {}

  template <class NeighbourOf>
  void add(std::int64_t rounds, Bytes size, NeighbourOf right_of) {
    if (rounds == 0) return;
    Stage stage{.pattern = {}, .rounds = rounds};
    std::vector<NodeIndex> left_of(workers_);
    for (NodeIndex rank = 0; rank < workers_; ++rank) left_of[right_of(rank)] = rank;
    const auto first = static_cast<MessageIndex>(stages_.size() * workers_);
    for (NodeIndex rank = 0; rank < workers_; ++rank) {
      Message message{.from = rank, .to = right_of(rank), .size = size};
      message.after = {{.message = first + left_of[rank], .rounds_back = 1}};
      for (const NodeIndex end : {message.from, message.to}) {
        if (stages_.empty()) continue;
        const MessageIndex before = first - workers_;
        for (const NodeIndex sender : {end, left_before_[end]}) {
          message.after.push_back({.message = before + sender, .rounds_back = all_rounds});
        }
      }
      stage.pattern.push_back(std::move(message));
    }
    left_before_ = std::move(left_of);
    stages_.push_back(std::move(stage));
  }
  [[nodiscard]] Schedule schedule() && { return Schedule{std::move(stages_)}; }

 private:
  NodeIndex workers_;
  std::vector<Stage> stages_;             // each with one message a worker, in their order
  std::vector<NodeIndex> left_before_{};  // by worker: its left neighbour in the last stage
};

}  // namespace

Schedule hierarchical_all_reduce(std::size_t workers, std::size_t ranks_per_node, Bytes size) {
  check(ranks_per_node >= 1 && workers % ranks_per_node == 0, "all nodes are full");
  const auto n = static_cast<NodeIndex>(workers);
  const auto local = static_cast<NodeIndex>(ranks_per_node);
  const auto within_node = [&](NodeIndex rank) {
    return rank / local * local + (rank + 1) % local;
  };
  const auto across_nodes = [&](NodeIndex rank) { return (rank + local) % n; };
  const Bytes part{size.count() / static_cast<double>(local)};
  const std::int64_t nodes = n / local;
  const std::int64_t rounds = static_cast<std::int64_t>(local) - 1;
  Rings rings{n};
  rings.add(rounds, part, within_node);
  rings.add(2 * (nodes - 1), Bytes{part.count() / static_cast<double>(nodes)}, across_nodes);
  rings.add(rounds, part, within_node);
  return std::move(rings).schedule();
}

}  // namespace dbsim
