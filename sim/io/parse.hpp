#pragma once
// Text to tree, one function per format; each throws InputError with everything that is wrong.
#include <string>
#include <string_view>

#include "sim/io/value.hpp"

namespace dbsim {

/// The root is always a table.
[[nodiscard]] Value parse_toml(std::string_view text, const std::string& file);
[[nodiscard]] Value parse_json(std::string_view text, const std::string& file);
/// JSON of other programs, in which null means that there is no value: such a key is left out, and
/// so is such an element.
[[nodiscard]] Value parse_foreign_json(std::string_view text, const std::string& file);

}  // namespace dbsim
