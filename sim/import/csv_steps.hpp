#pragma once
// Step times from a table that people already have: CSV, one measurement a row.
#include <string>
#include <string_view>
#include <vector>

#include "sim/import/measured_batch.hpp"

namespace dbsim {

/// Columns by the names in the first row: `batch`; one of `seconds`, `step_s`, `ms`, `step_ms`,
/// `samples_per_second`; perhaps `forward`, `backward`, `update` (in the unit of the step, or with
/// _s or _ms). Others are passed over, and so are empty lines and lines that begin with #.
/// InputError with all that is wrong in the text; `file` is named in messages.
[[nodiscard]] std::vector<MeasuredBatch> parse_csv_steps(std::string_view text,
                                                         const std::string& file);

}  // namespace dbsim
