#pragma once
// Profiles as a person reads them.
#include <string>
#include <vector>

#include "sim/profile/compare.hpp"
#include "sim/profile/profile_document.hpp"
#include "sim/report/layout.hpp"

namespace dbsim {

/// What the profile is of, a row for each batch size, a plot of the time per sample, and the rest.
[[nodiscard]] std::string profile_text(const ProfileDocument& document, const TableStyle& style);

/// A row for each batch size; interpolated times are marked.
[[nodiscard]] std::string comparison_text(const std::vector<ProfileDifference>& differences,
                                          const TableStyle& style);

}  // namespace dbsim
