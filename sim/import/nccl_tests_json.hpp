#pragma once
// What all_reduce_perf writes with -J: JSON.
#include <string>
#include <string_view>

#include "sim/import/nccl_tests.hpp"

namespace dbsim {

/// Keys that are not needed are passed over: every version adds some. InputError with all that is
/// wrong in the text.
[[nodiscard]] NcclTests parse_nccl_tests_json(std::string_view text, const std::string& file);

}  // namespace dbsim
