#pragma once
// A description made public: as a JSON Schema for editors, as a reference for people.
#include <string>
#include <string_view>

#include "sim/io/fields.hpp"

namespace dbsim {

/// JSON Schema (draft 2020-12), indented by two, ending in a newline.
[[nodiscard]] std::string json_schema(std::string_view id, std::string_view title,
                                      const Description& description);
/// Markdown: one section per table, one row per key (name, type and unit, needed, meaning).
[[nodiscard]] std::string markdown_reference(std::string_view title,
                                             const Description& description);

}  // namespace dbsim
