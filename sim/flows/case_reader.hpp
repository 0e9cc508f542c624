#pragma once
// The keys of one case of a file of networks with flows.
#include <vector>

#include "sim/base/error.hpp"
#include "sim/flows/flow_cases.hpp"
#include "sim/io/fields.hpp"

namespace dbsim {

/// Reads one case. What is wrong with names of flows further down is known last: it goes to `late`.
void read_case(Fields& fields, FlowCase& result, std::vector<Problem>& late);

}  // namespace dbsim
