#pragma once
// What all_reduce_perf prints: comments, a table whose columns changed over the years, and between
// them whatever else ran wrote to the same terminal.
#include <string>
#include <string_view>

#include "sim/import/nccl_tests.hpp"

namespace dbsim {

/// Columns are found by the names in the table's heading, times and rates in its units. Lines of
/// NCCL's log are passed over, also within a row, whose parts are then put together. InputError
/// with all that is wrong in the text.
[[nodiscard]] NcclTests parse_nccl_tests_text(std::string_view text, const std::string& file);

}  // namespace dbsim
