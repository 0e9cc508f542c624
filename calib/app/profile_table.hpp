#pragma once
// A profile as a person reads it when it has just been measured.
#include <string>

#include "sim/profile/profile_document.hpp"
#include "sim/report/layout.hpp"

namespace dbsim::calib {

/// One row a batch size, the memory's limit, interference, remarks. Fits 80 columns.
[[nodiscard]] std::string profile_table(const ProfileDocument& document, const TableStyle& style);

}  // namespace dbsim::calib
