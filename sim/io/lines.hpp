#pragma once
// Tables in plain text: lines, the words in them with their columns, numbers.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace dbsim {

struct Line {
  std::string_view text;  // without what ends it
  int number{};           // from 1
};
/// A byte order mark at the front of the text belongs to no line.
[[nodiscard]] std::vector<Line> lines_of(std::string_view text);

struct Word {
  std::string_view text;
  int column{};  // of its first character, in code points, from 1
};
/// What stands between separators, without the blanks around it; may be empty.
[[nodiscard]] std::vector<Word> split_at(std::string_view line, char separator);
/// What stands between blanks and tabs.
[[nodiscard]] std::vector<Word> words_of(std::string_view line);

/// The whole text as a number: finite, decimal, no blanks.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> parse_whole(std::string_view text);

}  // namespace dbsim
