#pragma once
// The keys of the scenario's table `network.collective`.
#include "sim/io/fields.hpp"
#include "sim/scenario/draft.hpp"

namespace dbsim {

void describe_collective(Fields& network, ScenarioDraft& draft);

}  // namespace dbsim
