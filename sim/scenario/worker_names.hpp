#pragma once
// Which workers a name in a scenario means.
#include <cstddef>
#include <string_view>
#include <vector>

#include "sim/scenario/draft.hpp"
#include "sim/scenario/scenario.hpp"

namespace dbsim {

/// A worker of that name, or all of the group of that name; none where there is no such name.
[[nodiscard]] std::vector<std::size_t> workers_named(const Scenario& scenario,
                                                     std::string_view name);
/// For "did you mean": names of groups, and of the first thousand workers.
[[nodiscard]] std::vector<std::string_view> known_names(const Scenario& scenario,
                                                        const ScenarioDraft& draft);

}  // namespace dbsim
