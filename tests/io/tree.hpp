#pragma once
// A tree as text, one line per value, with the positions of keys and values.
#include <fmt/format.h>

#include <string>

#include "sim/io/value.hpp"
#include "sim/io/wording.hpp"

namespace dbsim {

inline std::string place(const Position& at) { return fmt::format("{}:{}", at.line, at.column); }

inline std::string tree(const Value& value, std::size_t indent = 0) {
  const std::string blanks(indent, ' ');
  std::string text;
  if (const auto* table = std::get_if<Table>(&value.data)) {
    for (const Entry& entry : *table) {
      text += fmt::format("{}{} {} = {} {}\n", blanks, place(entry.key_at), entry.key,
                          place(entry.value.at), shown(entry.value));
      text += tree(entry.value, indent + 2);
    }
  }
  if (const auto* list = std::get_if<List>(&value.data)) {
    for (const Value& element : *list) {
      text += fmt::format("{}{} {}\n", blanks, place(element.at), shown(element));
      text += tree(element, indent + 2);
    }
  }
  return text;
}

}  // namespace dbsim
