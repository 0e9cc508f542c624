#include "sim/io/json_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>

#include "sim/base/check.hpp"

namespace dbsim {

void JsonWriter::open(char opening, char closing, Layout layout) {
  separate();
  const bool in_row = !levels_.empty() && levels_.back().layout == Layout::row;
  text_ += opening;
  levels_.push_back({.closing = closing, .layout = in_row ? Layout::row : layout, .empty = true});
}

void JsonWriter::close() {
  check(!levels_.empty() && !after_key_, "what is closed is open, and every key has a value");
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.layout == Layout::lines && !level.empty) new_line();
  text_ += level.closing;
}

void JsonWriter::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ": ";
  after_key_ = true;
}

void JsonWriter::text(std::string_view value) {
  separate();
  quote(value);
}

void JsonWriter::whole(std::int64_t value) {
  separate();
  fmt::format_to(std::back_inserter(text_), "{}", value);
}

void JsonWriter::natural(std::uint64_t value) {
  separate();
  fmt::format_to(std::back_inserter(text_), "{}", value);
}

void JsonWriter::number(double value) {
  if (!std::isfinite(value)) {
    null();
    return;
  }
  separate();
  fmt::format_to(std::back_inserter(text_), "{}", value + 0.0);  // + 0.0 turns -0 into 0
}

void JsonWriter::null() {
  separate();
  text_ += "null";
}

std::string JsonWriter::finish() && {
  check(levels_.empty(), "all objects and arrays are closed");
  text_ += '\n';
  return std::move(text_);
}

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) text_ += level.layout == Layout::row ? ", " : ",";
  if (level.layout == Layout::lines) new_line();
  level.empty = false;
}

void JsonWriter::new_line() {
  text_ += '\n';
  text_.append(2 * levels_.size(), ' ');
}

void JsonWriter::quote(std::string_view value) {
  text_ += '"';
  for (const char c : value) {
    switch (c) {
      case '"':
        text_ += "\\\"";
        break;
      case '\\':
        text_ += "\\\\";
        break;
      case '\n':
        text_ += "\\n";
        break;
      case '\t':
        text_ += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20U) {
          fmt::format_to(std::back_inserter(text_), "\\u{:04x}", static_cast<unsigned>(c));
        } else {
          text_ += c;
        }
    }
  }
  text_ += '"';
}

}  // namespace dbsim
