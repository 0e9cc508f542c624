#include "sim/scenario/worker_names.hpp"

#include <algorithm>

namespace dbsim {

std::vector<std::size_t> workers_named(const Scenario& scenario, std::string_view name) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < scenario.workers.size(); ++i) {
    const std::string_view worker = scenario.workers[i].name;
    const bool in_group = worker.starts_with(name) && worker.substr(name.size()).starts_with('/') &&
                          worker.find('/', name.size() + 1) == std::string_view::npos;
    if (worker == name || in_group) found.push_back(i);
  }
  return found;
}

std::vector<std::string_view> known_names(const Scenario& scenario, const ScenarioDraft& draft) {
  constexpr std::size_t names_worth_suggesting = 1000;
  std::vector<std::string_view> known;
  for (const WorkerDraft& worker : draft.workers) known.push_back(worker.name.value);
  for (std::size_t i = 0; i < std::min(names_worth_suggesting, scenario.workers.size()); ++i) {
    known.push_back(scenario.workers[i].name);
  }
  return known;
}

}  // namespace dbsim
