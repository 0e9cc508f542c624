#pragma once
// The network of a scenario, with what stands in files of its own.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/scenario/draft.hpp"
#include "sim/scenario/scenario.hpp"

namespace dbsim {

/// A path in a scenario is relative to the scenario's own folder.
[[nodiscard]] std::string beside(const std::string& scenario_file, const std::string& path);

/// Runs `read`; if the file is not good, files a problem at the key that names it, and what is
/// wrong in it.
void read_file(const Placed<std::string>& file, std::string_view kind,
               const std::function<void()>& read, std::vector<Problem>& problems);

/// Form and messages; links and traffic need the workers' names first (add_traffic).
[[nodiscard]] PlayedNetwork played_network(ScenarioDraft& draft, const std::string& scenario_file,
                                           std::vector<Problem>& problems);

}  // namespace dbsim
