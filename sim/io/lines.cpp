#include "sim/io/lines.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "sim/io/utf8.hpp"

namespace dbsim {

namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Turns offsets that rise into columns, in one pass over the line.
class Columns {
 public:
  explicit Columns(std::string_view line) : line_{line} {}
  int at(std::size_t offset) {
    while (reached_ < offset) column_ += continues_character(line_[reached_++]) ? 0 : 1;
    return column_;
  }

 private:
  std::string_view line_;
  std::size_t reached_{0};
  int column_{1};
};

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::vector<Line> lines_of(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back({line, static_cast<int>(lines.size()) + 1});
  }
  return lines;
}

std::vector<Word> split_at(std::string_view line, char separator) {
  std::vector<Word> words;
  Columns columns{line};
  std::size_t begin = 0;
  while (begin <= line.size()) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    std::string_view text = line.substr(begin, end - begin);
    const std::size_t lead = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(lead);
    text = text.substr(0, text.find_last_not_of(blanks) + 1);
    words.push_back({text, columns.at(begin + lead)});
    begin = end + 1;
  }
  return words;
}

std::vector<Word> words_of(std::string_view line) {
  std::vector<Word> words;
  Columns columns{line};
  std::size_t begin = line.find_first_not_of(blanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back({line.substr(begin, end - begin), columns.at(begin)});
    begin = line.find_first_not_of(blanks, end);
  }
  return words;
}

std::optional<double> parse_number(std::string_view text) {
  const auto number = parse<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::int64_t> parse_whole(std::string_view text) { return parse<std::int64_t>(text); }

}  // namespace dbsim
