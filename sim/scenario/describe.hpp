#pragma once
// The keys of a scenario file, described once: reading, the JSON Schema and the reference all
// follow from it.
#include "sim/io/fields.hpp"
#include "sim/policy/catalog.hpp"
#include "sim/scenario/draft.hpp"

namespace dbsim {

void describe_scenario(Fields& fields, Catalog catalog, ScenarioDraft& draft);
/// One entry of `policies`: a name, or a table with a name and what that policy can be told.
void describe_policy(Fields& element, Catalog catalog, PolicyDraft& draft);

}  // namespace dbsim
