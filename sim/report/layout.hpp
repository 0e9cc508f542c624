#pragma once
// Text laid out for a terminal of a given width: columns, wrapped sentences, colour only where it
// is wanted.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dbsim {

struct TableStyle {
  int width{80};
  bool colour{false};  // ANSI escapes: bold headings, green savings, red losses
};

enum class Align { left, right };
enum class Tone { plain, heading, gain, loss };

struct Cell {
  std::string text;
  Tone tone{Tone::plain};
};
struct Column {
  std::string title;
  std::string unit;  // second line of the heading; may be empty
  Align align{Align::right};
};
struct Grid {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // as many cells as columns
};

/// Columns as wide as their widest cell; where that is more than the width, the first column gives
/// way.
[[nodiscard]] std::string grid_text(const Grid& grid, const TableStyle& style);

[[nodiscard]] std::string painted(std::string_view text, Tone tone, const TableStyle& style);
/// The text after `lead`, broken at spaces, its later lines set in as far as the first. Ends in a
/// newline.
[[nodiscard]] std::string wrapped_after(std::string_view lead, std::string_view text,
                                        const TableStyle& style);

/// Characters of UTF-8 text, each taken to be one column wide.
[[nodiscard]] std::size_t display_width(std::string_view text);
/// At most `width` characters, the last three of them dots where something was cut off.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width);

/// 0.639 as "63.9 %".
[[nodiscard]] std::string percent(double fraction);
/// 0.41 as "41 %", as a sentence says it: "less than 1 %" and "more than 99 %" at the ends.
[[nodiscard]] std::string rough_percent(double fraction);
/// 1234567 as "1,234,567".
[[nodiscard]] std::string grouped_digits(long long number);

}  // namespace dbsim
