#include "sim/io/chrome_trace.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"

namespace dbsim {

namespace {

[[noreturn]] void refuse(Where where, std::string found, std::string expected) {
  throw InputError{{{std::move(where), {}, std::move(found), std::move(expected), {}}}};
}

// Line and column of the byte, both from 1.
Where place_of(const std::string& path, std::size_t byte) {
  std::ifstream file{path, std::ios::binary};
  Where where{path, 1, 1};
  char c = '\0';
  for (std::size_t i = 1; i < byte && file.get(c); ++i) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // within a character
    if (c == '\n') {
      ++where.line;
      where.column = 1;
    } else if (!continues) {
      ++where.column;
    }
  }
  return where;
}

/// Follows the parser's reports (its SAX interface, whose names and types are given) and keeps one
/// event at a time. Both shapes of file are known: a list of events, or a table that holds the list
/// under "traceEvents".
class EventReader {
 public:
  EventReader(std::string path, const std::function<void(const TraceEvent&)>& take)
      : path_{std::move(path)}, take_{take} {}

  // NOLINTBEGIN(readability-identifier-naming)
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;
  // NOLINTEND(readability-identifier-naming)

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(number_integer_t number) {
    return whole(number) && real(static_cast<double>(number));
  }
  bool number_unsigned(number_unsigned_t number) {
    return whole(static_cast<std::int64_t>(number)) && real(static_cast<double>(number));
  }
  bool number_float(number_float_t number, const string_t&) { return real(number); }
  bool string(string_t& text) {
    if (at({"traceEvents", "name"})) {
      event_.name = std::move(text);
    } else if (at({"traceEvents", "cat"})) {
      event_.category = std::move(text);
    } else if (at({"traceEvents", "ph"})) {
      complete_ = text == "X";
    } else if (at({"traceEvents", "args", "dtype"})) {
      event_.element_type = std::move(text);
    } else if (at({"traceEvents", "args", "Input type"}) && event_.input_type.empty()) {
      event_.input_type = std::move(text);
    } else if (at({"deviceProperties", "name"}) && device_.name.empty()) {
      device_.name = std::move(text);
    }
    return true;
  }
  bool binary(binary_t&) { return true; }

  bool start_object(std::size_t) {
    if (at({"traceEvents"})) {
      event_ = {};
      complete_ = false;
    }
    open_.push_back({});
    return true;
  }
  bool end_object() {
    open_.pop_back();
    if (at({"traceEvents"}) && complete_) take_(event_);
    return true;
  }
  bool start_array(std::size_t) {
    // A bare list is a list of events.
    if (open_.empty()) open_.push_back({"traceEvents", false});
    open_.push_back({"", true});
    shape_.reset();
    return true;
  }
  bool end_array() {
    // The innermost list is a shape; a number has none.
    if (shape_) event_.input_elements = event_.input_elements.value_or(0) + *shape_;
    shape_.reset();
    open_.pop_back();
    return true;
  }
  bool key(string_t& name) {
    open_.back().key = std::move(name);
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::json::exception&) {
    std::error_code ignored;
    const bool at_end = byte > std::filesystem::file_size(path_, ignored);
    refuse(place_of(path_, byte), at_end ? "the end of the file" : "what is no JSON",
           "a trace, as PyTorch's export_chrome_trace writes it");
  }

  [[nodiscard]] const TraceDevice& device() const { return device_; }

 private:
  struct Level {
    std::string key;
    bool list{};
  };

  // Whether the keys of the open tables are these; lists are looked through.
  [[nodiscard]] bool at(std::initializer_list<std::string_view> keys) const {
    const auto* wanted = keys.begin();
    for (const Level& level : open_) {
      if (level.list) continue;
      if (wanted == keys.end() || level.key != *wanted) return false;
      ++wanted;
    }
    return wanted == keys.end();
  }

  bool whole(std::int64_t number) {
    if (at({"traceEvents", "args", "correlation"})) event_.correlation = number;
    // Both spellings are met, by version.
    if (at({"traceEvents", "args", "External id"})) event_.external_id = number;
    if (at({"traceEvents", "args", "external id"})) event_.external_id = number;
    if (at({"traceEvents", "args", "In msg nelems"})) event_.elements = number;
    constexpr std::int64_t largest_extent = std::int64_t{1} << 40U;
    if (at({"traceEvents", "args", "Input Dims"}) && number >= 0 && number < largest_extent &&
        shape_.value_or(1) < largest_extent / std::max<std::int64_t>(number, 1)) {
      shape_ = shape_.value_or(1) * number;
    }
    return true;
  }
  bool real(double number) {
    if (at({"traceEvents", "ts"})) event_.start_us = number;
    if (at({"traceEvents", "dur"})) event_.duration_us = number;
    if (at({"deviceProperties", "totalGlobalMem"}) && !device_.memory) {
      device_.memory = Bytes{number};
    }
    return true;
  }

  std::string path_;
  const std::function<void(const TraceEvent&)>& take_;
  std::vector<Level> open_;
  TraceEvent event_;
  bool complete_{false};
  std::optional<std::int64_t> shape_;  // elements of the input whose extents are being read
  TraceDevice device_;
};

}  // namespace

TraceDevice read_chrome_trace(const std::string& path,
                              const std::function<void(const TraceEvent&)>& take) {
  std::error_code ignored;
  const bool readable = std::filesystem::is_regular_file(path, ignored);
  std::ifstream file{path, std::ios::binary};
  if (!readable || !file) {
    refuse({path, 0, 0}, "no file that can be read", "the path of a trace");
  }
  if (file.get() == 0x1F && file.get() == 0x8B) {
    refuse({path, 0, 0}, "a compressed file", "JSON text: unpack it with gunzip first");
  }
  file.clear();
  file.seekg(0);
  EventReader reader{path, take};
  nlohmann::json::sax_parse(file, &reader);
  return reader.device();
}

}  // namespace dbsim
