#pragma once
// Results as results.json, for programs: schema dbsim.results/1.
#include <string>

#include "sim/report/results.hpp"

namespace dbsim {

/// The same results give the same bytes. Ends in a newline; names carry their unit.
[[nodiscard]] std::string results_json(const Results& results);

}  // namespace dbsim
