#include "sim/io/utf8.hpp"

namespace dbsim {

std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continued = [&](std::size_t count) {
    for (std::size_t i = 1; i <= count; ++i) {
      if (i >= text.size() || !continues_character(text[i])) return false;
    }
    return true;
  };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU) return continued(1) ? 2 : 0;
  if (first >= 0xE0U && first <= 0xEFU) {
    const bool overlong = first == 0xE0U && byte(1) < 0xA0U;
    const bool surrogate = first == 0xEDU && byte(1) > 0x9FU;
    return continued(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    const bool overlong = first == 0xF0U && byte(1) < 0x90U;
    const bool too_large = first == 0xF4U && byte(1) > 0x8FU;
    return continued(3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

std::optional<std::size_t> first_not_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text.substr(i, 4));
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

Position advanced(Position at, std::string_view text) {
  for (const char byte : text) {
    if (byte == '\n') {
      ++at.line;
      at.column = 1;
    } else if (!continues_character(byte)) {
      ++at.column;
    }
  }
  return at;
}

}  // namespace dbsim
