#pragma once
// Plays a schedule without a network: messages arrive in a random order. Whatever a network does,
// it is one of these.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/model/collective.hpp"

namespace dbsim::test {

struct Observer {
  std::function<void(MessageIndex)> started;
  std::function<void(MessageIndex)> arrived;
};

/// Whether it came to an end.
inline bool drain(const Schedule& schedule, RandomStream& random, const Observer& observer) {
  Progress progress{schedule};
  std::vector<MessageIndex> under_way;
  const auto start = [&](std::span<const MessageIndex> messages) {
    for (const MessageIndex message : messages) {
      observer.started(message);
      under_way.push_back(message);
    }
  };
  start(progress.begin());
  while (!under_way.empty()) {
    const auto last = static_cast<std::int64_t>(under_way.size()) - 1;
    std::swap(under_way[static_cast<std::size_t>(random.whole(0, last))], under_way.back());
    const MessageIndex message = under_way.back();
    under_way.pop_back();
    observer.arrived(message);
    start(progress.arrived(message));
  }
  return progress.complete();
}

}  // namespace dbsim::test
