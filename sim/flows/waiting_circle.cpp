#include "sim/flows/waiting_circle.hpp"

#include <algorithm>
#include <cstdint>

namespace dbsim {

std::vector<std::size_t> waiting_circle(std::span<const PlannedFlow> flows) {
  enum class State : std::uint8_t { fresh, on_path, done };
  struct Step {
    std::size_t flow;
    std::size_t next;  // into its `after`
  };
  std::vector<State> states(flows.size(), State::fresh);
  std::vector<Step> path;
  for (std::size_t root = 0; root < flows.size(); ++root) {
    if (states[root] == State::fresh) path.push_back({root, 0});
    while (!path.empty()) {
      Step& step = path.back();
      states[step.flow] = State::on_path;
      if (step.next == flows[step.flow].after.size()) {
        states[step.flow] = State::done;
        path.pop_back();
        continue;
      }
      const std::size_t before = flows[step.flow].after[step.next++];
      if (states[before] == State::fresh) path.push_back({before, 0});
      if (states[before] != State::on_path) continue;
      std::vector<std::size_t> circle;
      for (auto at = std::ranges::find(path, before, &Step::flow); at != path.end(); ++at) {
        circle.push_back(at->flow);
      }
      return circle;
    }
  }
  return {};
}

}  // namespace dbsim
