#pragma once
// A figure as one SVG file that needs nothing else: light or dark as the reader's screen is, text
// as text.
#include <string>

#include "sim/figure/figure.hpp"

namespace dbsim {

[[nodiscard]] std::string svg(const Figure& figure);

}  // namespace dbsim
