#include "sim/report/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

constexpr std::size_t gap = 2;  // spaces between columns
constexpr std::size_t narrowest_first_column = 8;

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

std::vector<std::size_t> column_widths(const Grid& grid, const TableStyle& style) {
  std::vector<std::size_t> widths;
  for (std::size_t k = 0; k < grid.columns.size(); ++k) {
    std::size_t width =
        std::max(display_width(grid.columns[k].title), display_width(grid.columns[k].unit));
    for (const auto& row : grid.rows) width = std::max(width, display_width(row.at(k).text));
    widths.push_back(width);
  }
  const std::size_t all =
      std::accumulate(widths.begin(), widths.end(), std::size_t{0}) + gap * (widths.size() - 1);
  const auto allowed = static_cast<std::size_t>(std::max(style.width, 0));
  if (all > allowed) {
    const std::size_t excess = all - allowed;
    const std::size_t least = std::min(widths.front(), narrowest_first_column);
    widths.front() = widths.front() > least + excess ? widths.front() - excess : least;
  }
  return widths;
}

/// Where the line may break: at a space, but not between a number and its unit.
std::size_t end_of_word(std::string_view text) {
  constexpr std::array<std::string_view, 7> units{"%", "ns", "us", "ms", "s", "min", "h"};
  std::size_t end = text.find(' ');
  while (end != std::string_view::npos && end > 0) {
    const bool after_digit = text[end - 1] >= '0' && text[end - 1] <= '9';
    std::string_view next = text.substr(end + 1);
    next = next.substr(0, next.find_first_of(" .,:;)"));
    if (!after_digit || std::ranges::find(units, next) == units.end()) break;
    end = text.find(' ', end + 1);
  }
  return std::min(end, text.size());
}

void trim_end(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

/// One line of cells; colour goes around the text, not around the padding, which trimming may
/// remove.
std::string grid_line(const std::vector<Cell>& cells, const Grid& grid,
                      const std::vector<std::size_t>& widths, const TableStyle& style) {
  std::string line;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (k > 0) line.append(gap, ' ');
    const std::string text = shortened(cells[k].text, widths[k]);
    const std::size_t space = widths[k] - std::min(widths[k], display_width(text));
    if (grid.columns[k].align == Align::right) line.append(space, ' ');
    line += painted(text, cells[k].tone, style);
    if (grid.columns[k].align == Align::left) line.append(space, ' ');
  }
  trim_end(line);
  return line + '\n';
}

}  // namespace

std::string grid_text(const Grid& grid, const TableStyle& style) {
  check(!grid.columns.empty(), "a table has columns");
  const std::vector<std::size_t> widths = column_widths(grid, style);
  std::vector<Cell> titles;
  std::vector<Cell> units;
  bool any_unit = false;
  for (const Column& column : grid.columns) {
    titles.push_back({.text = column.title, .tone = Tone::heading});
    units.push_back({.text = column.unit, .tone = Tone::plain});
    any_unit = any_unit || !column.unit.empty();
  }
  std::string text = grid_line(titles, grid, widths, style);
  if (any_unit) text += grid_line(units, grid, widths, style);
  const std::size_t all =
      std::accumulate(widths.begin(), widths.end(), std::size_t{0}) + gap * (widths.size() - 1);
  text += std::string(all, '-') + '\n';
  for (const auto& row : grid.rows) text += grid_line(row, grid, widths, style);
  return text;
}

std::string painted(std::string_view text, Tone tone, const TableStyle& style) {
  if (!style.colour || text.empty()) return std::string{text};
  switch (tone) {
    case Tone::plain:
      return std::string{text};
    case Tone::heading:
      return fmt::format("\x1b[1m{}\x1b[0m", text);
    case Tone::gain:
      return fmt::format("\x1b[32m{}\x1b[0m", text);
    case Tone::loss:
      return fmt::format("\x1b[31m{}\x1b[0m", text);
  }
  return std::string{text};
}

std::string wrapped_after(std::string_view lead, std::string_view text, const TableStyle& style) {
  const auto width = static_cast<std::size_t>(std::max(style.width, 20));
  const std::size_t indent = display_width(lead);
  std::string result;
  std::string line{lead};
  bool line_is_empty = true;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, end_of_word(text));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (!line_is_empty && display_width(line) + 1 + display_width(word) > width) {
      result += line + '\n';
      line.assign(indent, ' ');
      line_is_empty = true;
    }
    if (!line_is_empty) line += ' ';
    line += word;
    line_is_empty = false;
  }
  return result + line + '\n';
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string shortened(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string{text};
  const std::size_t kept = width > 3 ? width - 3 : 0;
  std::size_t characters = 0;
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    if (begins_character(text[bytes]) && characters++ == kept) break;
    ++bytes;
  }
  return std::string{text.substr(0, bytes)} + std::string(std::min<std::size_t>(width, 3), '.');
}

std::string percent(double fraction) {
  const double tenths = std::round(fraction * 1000.0) + 0.0;  // + 0.0 turns -0 into 0
  return fmt::format("{:.1f} %", tenths / 10.0);
}

std::string rough_percent(double fraction) {
  if (fraction <= 0.0) return "0 %";
  if (fraction < 0.005) return "less than 1 %";
  if (fraction >= 0.995 && fraction < 1.0) return "more than 99 %";
  return fmt::format("{:.0f} %", fraction * 100.0);
}

std::string grouped_digits(long long number) {
  const std::string digits = fmt::format("{}", number);
  const std::size_t sign = number < 0 ? 1 : 0;
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > sign && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

}  // namespace dbsim
