#include "sim/io/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sim/io/utf8.hpp"

namespace dbsim {

namespace {

constexpr std::size_t longest_shown = 60;  // bytes of a text before "..."

bool is_bare(std::string_view key) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !key.empty() && key.size() <= longest_shown && std::ranges::all_of(key, plain);
}

// One character, or a byte that is none.
std::string escaped_character(std::string_view character) {
  const auto byte = static_cast<unsigned char>(character.front());
  if (byte == '\n') return "\\n";
  if (byte == '\t') return "\\t";
  if (byte == '\r') return "\\r";
  if (byte < 0x20U || byte == 0x7FU) return fmt::format("\\u{:04X}", byte);
  // C1 controls are two bytes in UTF-8, C2 80 to C2 9F; terminals obey them like escape sequences.
  if (byte == 0xC2U && character.size() == 2) {
    const auto second = static_cast<unsigned char>(character[1]);
    if (second < 0xA0U) return fmt::format("\\u{:04X}", second);
  }
  return std::string{character};
}

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) {
      result += fmt::format("\\x{:02X}", static_cast<unsigned char>(text.front()));
    } else {
      result += escaped_character(text.substr(0, length));
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

// std::visit over a value's data wants all six types named once.
struct Shower {
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
  std::string operator()(double number) const { return number_words(number); }
  std::string operator()(const std::string& text) const { return "text " + in_quotes(text); }
  std::string operator()(const List&) const { return "a list"; }
  std::string operator()(const Table&) const { return "a table"; }
};

std::string bounds_words(const std::string& lower, const std::string& upper, bool from_to) {
  if (from_to) return fmt::format("from {} to {}", lower, upper);
  if (!lower.empty() && !upper.empty()) return fmt::format("{} and at most {}", lower, upper);
  if (!upper.empty()) return fmt::format("at most {}", upper);
  return lower;
}

std::string limit_words(double limit, std::string (*unit)(double)) {
  return limit == 0.0 ? "0" : unit(limit);
}

}  // namespace

std::string printable(std::string_view text) {
  if (text.size() <= longest_shown) return escaped(text);
  std::size_t end = longest_shown;
  while (end > 0 && continues_character(text[end])) --end;  // never half a character
  return escaped(text.substr(0, end)) + "...";
}

std::string in_quotes(std::string_view text) { return '"' + printable(text) + '"'; }

std::string path_part(std::string_view key) {
  return is_bare(key) ? std::string{key} : in_quotes(key);
}

std::string joined_path(std::string_view path, std::string_view key) {
  if (key.empty()) return std::string{path};
  if (path.empty()) return path_part(key);
  return fmt::format("{}.{}", path, path_part(key));
}

std::string shown(const Value& value) { return std::visit(Shower{}, value.data); }

std::string_view name_of(ValueType type) {
  switch (type) {
    case ValueType::text:
      return "text";
    case ValueType::boolean:
      return "true or false";
    case ValueType::whole:
      return "a whole number";
    case ValueType::number:
      return "a number";
    case ValueType::list:
      return "a list";
    case ValueType::table:
      break;
  }
  return "a table";
}

std::string one_of_words(std::span<const std::string_view> words) {
  if (words.size() == 1) return std::string{words.front()};
  return fmt::format("one of {}", fmt::join(words, ", "));
}

std::string range_words(const WholeRange& range) {
  const bool below = range.least != std::numeric_limits<std::int64_t>::min();
  const bool above = range.most != std::numeric_limits<std::int64_t>::max();
  if (range.least == range.most) return fmt::format("exactly {}", range.least);
  const std::string upper = above ? fmt::format("{}", range.most) : "";
  if (below && above) return bounds_words(fmt::format("{}", range.least), upper, true);
  return bounds_words(below ? fmt::format("at least {}", range.least) : "", upper, false);
}

std::string range_words(const NumberRange& range, std::string (*unit)(double)) {
  const std::string upper = std::isinf(range.most) ? "" : limit_words(range.most, unit);
  if (std::isinf(range.least)) return bounds_words("", upper, false);
  const std::string lower = limit_words(range.least, unit);
  if (range.lower == NumberRange::Lower::open) {
    return bounds_words("more than " + lower, upper, false);
  }
  if (!upper.empty()) return bounds_words(lower, upper, true);
  return bounds_words("at least " + lower, upper, false);
}

std::string with_range(std::string_view form, std::string_view range) {
  return range.empty() ? std::string{form} : fmt::format("{}, {}", form, range);
}

std::string plain_words(double number) { return fmt::format("{}", number); }

std::string seconds_words(double seconds) { return to_text(Seconds{seconds}); }

std::string bytes_words(double bytes) { return to_text(Bytes{bytes}); }

std::string bytes_per_second_words(double rate) { return to_text(Bytes{rate}) + "/s"; }

std::string short_form(const QuantityWords& words) {
  return fmt::format("a {} with a unit, e.g. \"{}\"", words.name, words.example);
}

std::string full_form(const QuantityWords& words) {
  return fmt::format("{} ({})", short_form(words), words.units);
}

std::string number_words(double value) {
  std::string text = fmt::format("{}", value);
  const bool looks_whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return looks_whole ? text + ".0" : text;
}

}  // namespace dbsim
