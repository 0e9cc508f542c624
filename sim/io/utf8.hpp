#pragma once
// Text as bytes: whether it is UTF-8, and which line and column a byte belongs to.
#include <cstddef>
#include <optional>
#include <string_view>

#include "sim/io/value.hpp"

namespace dbsim {

/// Length of the UTF-8 sequence at the front of a text that is not empty (RFC 3629: shortest forms
/// only, no surrogates); 0 if there is none.
[[nodiscard]] std::size_t character_length(std::string_view text);
/// Offset of the first byte that is not UTF-8.
[[nodiscard]] std::optional<std::size_t> first_not_utf8(std::string_view text);

/// Whether a byte is the second or a later one of a character.
[[nodiscard]] constexpr bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// `at` moved on over `text`: '\n' ends a line, every other code point is one column.
[[nodiscard]] Position advanced(Position at, std::string_view text);

}  // namespace dbsim
