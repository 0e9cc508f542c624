#pragma once
// The keys `network.link` and `network.traffic`: how links change, and what else they carry.
#include "sim/io/fields.hpp"
#include "sim/scenario/draft.hpp"

namespace dbsim {

void describe_link_profiles(Fields& network, ScenarioDraft& draft);
void describe_traffic(Fields& network, ScenarioDraft& draft);

}  // namespace dbsim
