#pragma once
// From names to links and hosts: what changes on the network, and what it carries beside the job.
#include <vector>

#include "sim/base/error.hpp"
#include "sim/scenario/draft.hpp"
#include "sim/scenario/scenario.hpp"

namespace dbsim {

/// Reads the files that the draft names and fills in `links` and `traffic` of the network, which
/// must have passed its own checks.
void add_traffic(Scenario& scenario, const ScenarioDraft& draft, std::vector<Problem>& problems);

}  // namespace dbsim
