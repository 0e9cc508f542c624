#include "sim/model/collective_algorithms.hpp"

#include <utility>
#include <vector>

namespace dbsim {

namespace {

Schedule ring(std::size_t workers, Bytes size, std::int64_t passes) {
  if (workers <= 1) return Schedule{{}, 0};
  const auto n = static_cast<MessageIndex>(workers);
  const Bytes chunk{size.count() / static_cast<double>(n)};
  std::vector<Message> pattern;
  pattern.reserve(n);
  for (MessageIndex rank = 0; rank < n; ++rank) {
    const Dependency from_left{.message = (rank + n - 1) % n, .rounds_back = 1};
    pattern.push_back({.from = rank, .to = (rank + 1) % n, .size = chunk, .after = {from_left}});
  }
  return Schedule{std::move(pattern), passes * (static_cast<std::int64_t>(n) - 1)};
}

}  // namespace

Schedule ring_reduce_scatter(std::size_t workers, Bytes size) { return ring(workers, size, 1); }

Schedule ring_all_gather(std::size_t workers, Bytes size) { return ring(workers, size, 1); }

Schedule ring_all_reduce(std::size_t workers, Bytes size) { return ring(workers, size, 2); }

}  // namespace dbsim
