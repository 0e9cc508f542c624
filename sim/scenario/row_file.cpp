#include "sim/scenario/row_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "sim/io/lines.hpp"
#include "sim/io/nearest.hpp"
#include "sim/io/quantity.hpp"

namespace dbsim {

namespace {

// Nobody reads more problems of one file than that.
constexpr std::size_t most_problems = 100;

class Rows {
 public:
  Rows(const std::string& file, std::span<const RowColumn> columns, std::vector<Problem>& problems)
      : file_{file}, columns_{columns}, problems_{problems} {}

  void read_heading(const Line& line) {
    const std::vector<Word> words = split_at(line.text, ',');
    for (const Word& word : words) {
      const auto column = std::ranges::find(columns_, word.text, &RowColumn::name);
      if (column == columns_.end()) {
        add(line, word, fmt::format("column \"{}\"", word.text), columns_in_words(),
            nearest(word.text, names()));
      } else if (std::ranges::find(words, word.text, &Word::text)->column != word.column) {
        add(line, word, "the same column again", "each column once");
      }
      places_.push_back(static_cast<std::size_t>(column - columns_.begin()));
    }
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].need == Need::optional) continue;
      if (std::ranges::find(places_, i) == places_.end()) {
        missing.push_back(fmt::format("\"{}\"", columns_[i].name));
      }
    }
    if (missing.empty()) return;
    add(line, words.front(), fmt::format("no column {}", fmt::join(missing, ", ")),
        columns_in_words());
  }

  void read_row(const Line& line, const std::function<void(std::span<const RowCell>)>& row) {
    const std::vector<Word> words = split_at(line.text, ',');
    if (words.size() != places_.size()) {
      add(line, words.front(), fmt::format("{} cell{}", words.size(), words.size() == 1 ? "" : "s"),
          fmt::format("{}, one for each column", places_.size()));
      return;
    }
    std::vector<RowCell> cells;
    for (const RowColumn& column : columns_)
      cells.push_back({column.name, {}, {file_, line.number, 1}});
    for (std::size_t i = 0; i < words.size(); ++i) {
      RowCell& cell = cells[places_[i]];
      cell.text = words[i].text;
      cell.where.column = words[i].column;
    }
    row(cells);
  }

 private:
  [[nodiscard]] std::vector<std::string_view> names() const {
    std::vector<std::string_view> names;
    for (const RowColumn& column : columns_) names.push_back(column.name);
    return names;
  }
  [[nodiscard]] std::string columns_in_words() const {
    std::vector<std::string> words;
    for (const RowColumn& column : columns_) {
      words.push_back(fmt::format("{}{}", column.name,
                                  column.need == Need::optional ? " (may be left out)" : ""));
    }
    return fmt::format("a first line with the column{} {}", words.size() == 1 ? "" : "s",
                       fmt::join(words, ", "));
  }
  void add(const Line& line, const Word& word, std::string found, std::string expected,
           std::string suggestion = {}) {
    problems_.push_back({{file_, line.number, word.column},
                         {},
                         std::move(found),
                         std::move(expected),
                         std::move(suggestion)});
  }

  const std::string& file_;
  std::span<const RowColumn> columns_;
  std::vector<Problem>& problems_;
  std::vector<std::size_t> places_;  // by word of a line: its place among the columns
};

template <class Value>
std::optional<Value> quantity_in(const RowCell& cell, std::optional<Value> value,
                                 std::string_view kind, std::string_view units,
                                 std::vector<Problem>& problems) {
  if (value && value->count() >= 0.0) return value;
  problems.push_back({cell.where,
                      std::string{cell.column},
                      fmt::format("\"{}\"", cell.text),
                      fmt::format("a {}, not negative, with a unit: {}", kind, units),
                      {}});
  return std::nullopt;
}

}  // namespace

void read_rows(std::string_view text, const std::string& file, std::span<const RowColumn> columns,
               const std::function<void(std::span<const RowCell>)>& row,
               std::vector<Problem>& problems) {
  const std::size_t before = problems.size();
  Rows rows{file, columns, problems};
  bool headed = false;
  for (const Line& line : lines_of(text)) {
    if (line.text.starts_with('#') || words_of(line.text).empty()) continue;
    if (headed) {
      rows.read_row(line, row);
    } else {
      rows.read_heading(line);
      if (problems.size() > before) return;
    }
    headed = true;
    if (problems.size() >= before + most_problems) return;
  }
  if (!headed) problems.push_back({{file, 1, 1}, {}, "nothing", "rows", {}});
}

std::optional<Seconds> duration_in(const RowCell& cell, std::vector<Problem>& problems) {
  constexpr Seconds most{100 * 365.25 * 86'400.0};  // no run lasts longer
  const auto time = quantity_in(cell, parse_duration(cell.text), "time", duration_units, problems);
  if (!time || *time <= most) return time;
  problems.push_back({cell.where,
                      std::string{cell.column},
                      fmt::format("\"{}\"", cell.text),
                      "at most 100 years",
                      {}});
  return std::nullopt;
}

std::optional<Bytes> size_in(const RowCell& cell, std::vector<Problem>& problems) {
  return quantity_in(cell, parse_size(cell.text), "size", size_units, problems);
}

std::optional<BytesPerSecond> bandwidth_in(const RowCell& cell, std::vector<Problem>& problems) {
  return quantity_in(cell, parse_bandwidth(cell.text), "bandwidth", bandwidth_units, problems);
}

}  // namespace dbsim
