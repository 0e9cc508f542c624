#include "sim/figure/svg_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dbsim {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

/// U+FFFE and U+FFFF, which XML forbids as it does most control characters.
bool noncharacter_at(std::string_view text, std::size_t i) {
  return text.substr(i, 3) == "\xEF\xBF\xBE" || text.substr(i, 3) == "\xEF\xBF\xBF";
}

/// In units of the font's size.
double width_of(char c) {
  constexpr std::string_view narrow = "iljtfrI.,:;'|!()[]/ ";
  constexpr std::string_view wide = "mwMW@%";
  if (!begins_character(c)) return 0.0;
  if (static_cast<unsigned char>(c) >= 0xE0U) return 1.0;  // not of a European script, perhaps
  if (narrow.find(c) != std::string_view::npos) return 0.36;
  if (wide.find(c) != std::string_view::npos) return 0.92;
  return c >= 'A' && c <= 'Z' ? 0.70 : 0.59;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (c == '\n' || c == '\t' || c == '\r') {
      result += ' ';
    } else if (static_cast<unsigned char>(c) < 0x20U) {
      result += replacement;
    } else if (noncharacter_at(text, i)) {
      result += replacement;
      i += 2;
    } else {
      result += c;
    }
  }
  return result;
}

std::string pixels(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

double text_width(std::string_view text, double font_size) {
  double width = 0.0;
  for (const char c : text) width += width_of(c);
  return width * font_size;
}

std::string cut(std::string_view text, double width, double font_size) {
  if (text_width(text, font_size) <= width) return std::string{text};
  constexpr std::string_view ellipsis = "…";
  double room = width - font_size;
  std::size_t bytes = 0;
  for (; bytes < text.size(); ++bytes) {
    room -= width_of(text[bytes]) * font_size;
    if (room < 0.0) break;
  }
  while (bytes > 0 && !begins_character(text[bytes])) --bytes;
  return std::string{text.substr(0, bytes)} + std::string{ellipsis};
}

std::vector<std::string> wrapped(std::string_view text, double width, double font_size) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, std::min(text.find(' '), text.size()));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const std::string longer = line.empty() ? std::string{word} : line + ' ' + std::string{word};
    if (text_width(longer, font_size) <= width) {
      line = longer;
      continue;
    }
    if (!line.empty()) lines.push_back(line);
    line = cut(word, width, font_size);
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace dbsim
