#pragma once
// Results as a person reads them in a terminal: a table, a sentence to quote, and why.
#include <string>

#include "sim/report/layout.hpp"
#include "sim/report/results.hpp"

namespace dbsim {

/// Every line fits in the style's width (80 or more) as long as no number grows out of all
/// proportion.
[[nodiscard]] std::string results_table(const Results& results, const TableStyle& style);

}  // namespace dbsim
