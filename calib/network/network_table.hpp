#pragma once
// A network file as a person reads it when it has just been measured.
#include <string>

#include "sim/network/network_document.hpp"
#include "sim/report/layout.hpp"

namespace dbsim::calib {

/// One row a message size, with what the fit makes of it; the fit; remarks. Fits 80 columns.
[[nodiscard]] std::string network_table(const NetworkDocument& document, const TableStyle& style);

}  // namespace dbsim::calib
