#include <utility>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/model/collective_algorithms.hpp"

namespace dbsim {

Schedule parameter_server(std::size_t workers, std::size_t servers, Bytes size) {
  if (workers <= 1) return Schedule{{}, 0};
  check(servers >= 1, "a parameter server has at least one host");
  const auto n = static_cast<NodeIndex>(workers);
  const auto k = static_cast<NodeIndex>(servers);
  const Bytes part{size.count() / static_cast<double>(k)};
  std::vector<Message> pattern;
  for (NodeIndex server = n; server < n + k; ++server) {
    Message all_pushed{.from = server, .to = server, .size = Bytes{0.0}};
    for (NodeIndex worker = 0; worker < n; ++worker) {
      all_pushed.after.push_back({.message = static_cast<MessageIndex>(pattern.size())});
      pattern.push_back({.from = worker, .to = server, .size = part});
    }
    const Dependency sum{.message = static_cast<MessageIndex>(pattern.size())};
    pattern.push_back(std::move(all_pushed));
    for (NodeIndex worker = 0; worker < n; ++worker) {
      pattern.push_back({.from = server, .to = worker, .size = part, .after = {sum}});
    }
  }
  return Schedule{std::move(pattern), 1};
}

}  // namespace dbsim
