#pragma once
// The network of a scenario, with what stands in files of its own.
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/scenario/draft.hpp"
#include "sim/scenario/scenario.hpp"

namespace dbsim {

/// A path in a scenario is relative to the scenario's own folder.
[[nodiscard]] std::string beside(const std::string& scenario_file, const std::string& path);

/// Form and messages; links and traffic need the workers' names first (add_traffic).
[[nodiscard]] PlayedNetwork played_network(ScenarioDraft& draft, const std::string& scenario_file,
                                           std::vector<Problem>& problems);

}  // namespace dbsim
