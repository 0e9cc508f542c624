#pragma once
// What the terminal is like: asked once per command, passed on as plain data.
#include "sim/report/table.hpp"

namespace dbsim {

/// 80 columns, or more where a terminal has them (100 at most); colour only on a terminal that did
/// not ask for none (NO_COLOR, TERM=dumb).
[[nodiscard]] TableStyle style_of_standard_output();
[[nodiscard]] bool standard_error_is_terminal();

}  // namespace dbsim
