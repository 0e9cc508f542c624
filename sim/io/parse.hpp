#pragma once
// Text to tree, one function per format; each throws InputError with everything that is wrong.
#include <string>
#include <string_view>

#include "sim/io/value.hpp"

namespace dbsim {

/// The root is always a table.
[[nodiscard]] Value parse_toml(std::string_view text, const std::string& file);
[[nodiscard]] Value parse_json(std::string_view text, const std::string& file);

}  // namespace dbsim
