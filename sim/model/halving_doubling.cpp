#include <bit>
#include <utility>
#include <vector>

#include "sim/model/collective_algorithms.hpp"

namespace dbsim {

namespace {

// Both ends of a message have finished the step before: who asks for large data is ready for it
// (rendezvous), and so nobody's link carries two steps at a time.
class Steps {
 public:
  explicit Steps(std::size_t workers) : latest_(workers) {}

  void exchange(NodeIndex a, NodeIndex b, Bytes size) {
    const std::vector<Dependency> before = ends(a, b);
    const MessageIndex there = add(a, b, size, before);
    const MessageIndex back = add(b, a, size, before);
    latest_[a] = latest_[b] = {{.message = there}, {.message = back}};
  }
  void hand_over(NodeIndex from, NodeIndex to, Bytes size) {
    latest_[from] = latest_[to] = {{.message = add(from, to, size, ends(from, to))}};
  }
  [[nodiscard]] Schedule schedule() && { return Schedule{std::move(pattern_), 1}; }

 private:
  [[nodiscard]] std::vector<Dependency> ends(NodeIndex a, NodeIndex b) const {
    std::vector<Dependency> both = latest_[a];
    both.insert(both.end(), latest_[b].begin(), latest_[b].end());
    return both;
  }
  MessageIndex add(NodeIndex from, NodeIndex to, Bytes size, std::vector<Dependency> after) {
    pattern_.push_back({.from = from, .to = to, .size = size, .after = std::move(after)});
    return static_cast<MessageIndex>(pattern_.size() - 1);
  }

  std::vector<Message> pattern_;
  std::vector<std::vector<Dependency>> latest_;  // by worker: the messages of its last step
};

}  // namespace

Schedule halving_doubling(std::size_t workers, Bytes size) {
  if (workers <= 1) return Schedule{{}, 0};
  const auto n = static_cast<NodeIndex>(workers);
  const NodeIndex power = std::bit_floor(n);
  const NodeIndex extra = n - power;
  // Those that take part in the halving: of the first 2 * extra the odd ones, and all others.
  const auto host = [&](NodeIndex place) { return place < extra ? 2 * place + 1 : place + extra; };
  Steps steps{workers};
  for (NodeIndex i = 0; i < extra; ++i) steps.hand_over(2 * i, 2 * i + 1, size);
  const auto exchange_all = [&](NodeIndex distance) {
    const Bytes part{size.count() * static_cast<double>(distance) / static_cast<double>(power)};
    for (NodeIndex place = 0; place < power; ++place) {
      if ((place & distance) == 0) steps.exchange(host(place), host(place + distance), part);
    }
  };
  for (NodeIndex distance = power / 2; distance >= 1; distance /= 2) exchange_all(distance);
  for (NodeIndex distance = 1; distance < power; distance *= 2) exchange_all(distance);
  for (NodeIndex i = 0; i < extra; ++i) steps.hand_over(2 * i + 1, 2 * i, size);
  return std::move(steps).schedule();
}

}  // namespace dbsim
