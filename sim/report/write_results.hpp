#pragma once
// A folder with everything a run said: results.json for programs, epochs.csv for a spreadsheet.
#include <string>

#include "sim/report/results.hpp"

namespace dbsim {

/// One row per policy, epoch and worker of the first repeat: the columns of a measured run after
/// `policy`, so that prediction and measurement can be laid side by side.
[[nodiscard]] std::string epochs_csv(const Results& results);

/// Each file appears whole or not at all; IoError otherwise.
void write_results(const Results& results, const std::string& folder);

}  // namespace dbsim
