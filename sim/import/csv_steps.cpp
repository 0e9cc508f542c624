#include "sim/import/csv_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/io/lines.hpp"
#include "sim/io/nearest.hpp"

namespace dbsim {

namespace {

enum class Part { batch, step, forward, backward, update };
enum class Unit { none, seconds, milliseconds, rate, as_the_step };

struct KnownColumn {
  std::string_view name;
  Part quantity;
  Unit unit;
};
constexpr std::array known_columns{
    KnownColumn{"batch", Part::batch, Unit::none},
    KnownColumn{"seconds", Part::step, Unit::seconds},
    KnownColumn{"step_s", Part::step, Unit::seconds},
    KnownColumn{"ms", Part::step, Unit::milliseconds},
    KnownColumn{"step_ms", Part::step, Unit::milliseconds},
    KnownColumn{"samples_per_second", Part::step, Unit::rate},
    KnownColumn{"forward", Part::forward, Unit::as_the_step},
    KnownColumn{"forward_s", Part::forward, Unit::seconds},
    KnownColumn{"forward_ms", Part::forward, Unit::milliseconds},
    KnownColumn{"backward", Part::backward, Unit::as_the_step},
    KnownColumn{"backward_s", Part::backward, Unit::seconds},
    KnownColumn{"backward_ms", Part::backward, Unit::milliseconds},
    KnownColumn{"update", Part::update, Unit::as_the_step},
    KnownColumn{"update_s", Part::update, Unit::seconds},
    KnownColumn{"update_ms", Part::update, Unit::milliseconds},
};
constexpr std::string_view times = "seconds, step_s, ms, step_ms or samples_per_second";
constexpr double longest_step = 86'400.0;  // as in a profile
constexpr std::int64_t largest_batch = 1'000'000'000;

class CsvReader {
 public:
  explicit CsvReader(std::string file) : file_{std::move(file)} {}

  std::vector<MeasuredBatch> read(std::string_view text) {
    for (const Line& line : lines_of(text)) {
      const std::size_t first = line.text.find_first_not_of(" \t");
      if (first == std::string_view::npos || line.text[first] == '#') continue;
      const std::vector<Word> cells = split_at(line.text, ',');
      if (columns_.empty()) {
        read_header(cells, line.number);
        if (!problems_.empty()) throw InputError{std::move(problems_)};
      } else {
        read_row(cells, line.number);
      }
    }
    if (columns_.empty()) file_problem({}, 0, {}, "no row", fmt::format("batch and {}", times));
    if (columns_.size() > 0 && measured_.empty() && problems_.empty()) {
      file_problem({}, 0, {}, "column names only", "a row for each measured step");
    }
    if (!problems_.empty()) throw InputError{std::move(problems_)};
    return std::move(measured_);
  }

 private:
  using Columns = std::vector<const KnownColumn*>;  // null: passed over

  void file_problem(const Word& cell, int line, std::string_view key, std::string found,
                    std::string expected, std::string suggestion = {}) {
    constexpr std::size_t most = 1000;
    if (problems_.size() >= most) return;
    problems_.push_back({{file_, line, cell.column},
                         std::string{key},
                         std::move(found),
                         std::move(expected),
                         std::move(suggestion)});
  }

  void read_header(const std::vector<Word>& cells, int line) {
    std::vector<std::string_view> names;
    for (const KnownColumn& known : known_columns) names.push_back(known.name);
    for (const Word& cell : cells) {
      const auto* known = std::ranges::find(known_columns, cell.text, &KnownColumn::name);
      columns_.push_back(known != known_columns.end() ? known : nullptr);
      if (columns_.back() == nullptr) {
        const std::string close = nearest(cell.text, names);
        if (!close.empty()) {
          file_problem(cell, line, {}, fmt::format("column \"{}\"", cell.text), {}, close);
        }
        continue;
      }
      const auto same = [&](const KnownColumn* other) {
        return other != nullptr && other->quantity == known->quantity;
      };
      const auto first = std::ranges::find_if(columns_, same);
      if (first + 1 != columns_.end()) {
        file_problem(cell, line, {},
                     fmt::format("columns \"{}\" and \"{}\"", (*first)->name, known->name),
                     "one of them only");
      }
      if (known->quantity == Part::step) step_unit_ = known->unit;
    }
    if (!problems_.empty()) return;  // a misspelt column is the missing one
    const auto has = [&](Part quantity) {
      return std::ranges::any_of(columns_, [&](const KnownColumn* column) {
        return column != nullptr && column->quantity == quantity;
      });
    };
    if (!has(Part::batch)) {
      file_problem(cells.front(), line, {}, "no column \"batch\"", "column names in the first row");
    }
    if (!has(Part::step)) {
      file_problem(cells.front(), line, {}, "no time", fmt::format("a column {}", times));
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (columns_[i] != nullptr && columns_[i]->unit == Unit::as_the_step &&
          step_unit_ == Unit::rate) {
        file_problem(cells[i], line, {}, fmt::format("column \"{}\"", columns_[i]->name),
                     fmt::format("{0}_s or {0}_ms beside samples_per_second", columns_[i]->name));
      }
    }
  }

  void read_row(const std::vector<Word>& cells, int line) {
    if (cells.size() != columns_.size()) {
      file_problem({{}, 1}, line, {},
                   fmt::format("{} value{}", cells.size(), cells.size() == 1 ? "" : "s"),
                   fmt::format("{}, as many as column names", columns_.size()));
      return;
    }
    std::int64_t batch = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (columns_[i] != nullptr && columns_[i]->quantity == Part::batch) {
        batch = read_batch(cells[i], line);
      }
    }
    MeasuredBatch& measured = of_batch(Samples{batch});
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (columns_[i] == nullptr || columns_[i]->quantity == Part::batch) continue;
      const std::optional<double> seconds = read_time(cells[i], line, *columns_[i], batch);
      if (seconds) values_of(measured, columns_[i]->quantity).push_back(*seconds);
    }
  }

  std::int64_t read_batch(const Word& cell, int line) {
    const auto batch = parse_whole(cell.text);
    if (batch && *batch >= 1 && *batch <= largest_batch) return *batch;
    file_problem(cell, line, "batch", fmt::format("\"{}\"", cell.text),
                 fmt::format("a whole number, from 1 to {}", largest_batch));
    return 1;
  }

  std::optional<double> read_time(const Word& cell, int line, const KnownColumn& column,
                                  std::int64_t batch) {
    const bool part = column.quantity != Part::step;
    if (part && cell.text.empty()) return std::nullopt;
    const auto number = parse_number(cell.text);
    const Unit unit = column.unit == Unit::as_the_step ? step_unit_ : column.unit;
    double seconds = number.value_or(-1.0);
    if (unit == Unit::milliseconds) seconds /= 1000.0;
    if (unit == Unit::rate) seconds = static_cast<double>(batch) / seconds;
    if (number && seconds > 0.0 && seconds <= longest_step) return seconds;
    file_problem(
        cell, line, column.name, fmt::format("\"{}\"", cell.text),
        unit == Unit::rate ? "a number, more than 0" : "a number, more than 0 and at most a day");
    return std::nullopt;
  }

  MeasuredBatch& of_batch(Samples batch) {
    const auto known = std::ranges::find(measured_, batch, &MeasuredBatch::batch);
    if (known != measured_.end()) return *known;
    return measured_.emplace_back(MeasuredBatch{.batch = batch, .step = {}});
  }

  static std::vector<double>& values_of(MeasuredBatch& measured, Part quantity) {
    switch (quantity) {
      case Part::forward:
        return measured.forward;
      case Part::backward:
        return measured.backward;
      case Part::update:
        return measured.update;
      default:
        return measured.step;
    }
  }

  std::string file_;
  Columns columns_;
  Unit step_unit_{Unit::seconds};
  std::vector<MeasuredBatch> measured_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<MeasuredBatch> parse_csv_steps(std::string_view text, const std::string& file) {
  return CsvReader{file}.read(text);
}

}  // namespace dbsim
