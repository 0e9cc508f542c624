#pragma once
// The keys of the scenario's table `network.collective`, and what must hold between them and the
// rest.
#include <vector>

#include "sim/base/error.hpp"
#include "sim/io/fields.hpp"
#include "sim/scenario/draft.hpp"

namespace dbsim {

void describe_collective(Fields& network, ScenarioDraft& draft);
void check_collective(const Scenario& scenario, const ScenarioDraft& draft,
                      std::vector<Problem>& problems);

}  // namespace dbsim
