#include "sim/import/nccl_tests_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/import/nccl_heading.hpp"
#include "sim/import/nccl_log.hpp"
#include "sim/import/nccl_ranks.hpp"
#include "sim/io/lines.hpp"
#include "sim/io/wording.hpp"

namespace dbsim {

namespace {

using Words = std::vector<Word>;

constexpr double longest_time = 86'400.0;  // as in a network file
constexpr std::int64_t largest_size = std::int64_t{1} << 50U;

constexpr std::string_view hidden_word = "what a message hides";

/// A row in the making: other programs may have written between its parts.
struct Row {
  struct Part {
    Word word;
    int line{};
  };
  std::vector<Part> parts;
  // Where something was glued to the end of a part, which may or may not be a value.
  std::vector<std::size_t> doubts;
  bool broken{false};
};

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Half a unit of the last digit that is shown.
double rounding_of(std::string_view number) {
  const std::size_t end = std::min(number.find_first_of("eE"), number.size());
  const std::size_t point = std::min(number.substr(0, end).find('.'), end);
  const auto decimals = point < end ? static_cast<double>(end - point - 1) : 0.0;
  std::string_view power = number.substr(std::min(end + 1, number.size()));
  if (power.starts_with('+')) power.remove_prefix(1);
  constexpr double most = 99.0;  // so that it stays finite in any unit
  const double exponent = std::clamp(parse_number(power).value_or(0.0), -most, most);
  return 0.5 * std::pow(10.0, exponent - decimals);
}

bool is_value(std::string_view word) { return word == "N/A" || parse_number(word); }

class TextReader {
 public:
  explicit TextReader(const std::string& file) : file_{file} {}

  NcclTests read(std::string_view text) {
    for (const Line& line : lines_of(text)) read_line(line);
    if (!row_.parts.empty()) refuse_row();
    if (!heading_ && problems_.empty()) {
      file_problem({file_, 0, 0}, {}, "no table",
                   "what all_reduce_perf prints, with a line of column names such as # size count "
                   "type redop root time algbw busbw");
    }
    if (problems_.empty() && tests_.rows.empty()) {
      file_problem({file_, 0, 0}, {}, "column names only", "a row for each message size");
    }
    if (!problems_.empty()) throw InputError{std::move(problems_)};
    ranks_.describe(tests_);
    add_remarks();
    return std::move(tests_);
  }

 private:
  void file_problem(Where where, std::string_view key, std::string found, std::string expected) {
    constexpr std::size_t most = 1000;
    if (problems_.size() >= most) return;
    problems_.push_back(
        {std::move(where), std::string{key}, std::move(found), std::move(expected), {}});
  }
  void file_problem(const Row::Part& part, std::string_view key, std::string expected) {
    file_problem({file_, part.line, part.word.column}, key, in_quotes(part.word.text),
                 std::move(expected));
  }

  void read_line(const Line& line) {
    NcclLogLine log = without_messages(line.text);
    Words& words = log.words;
    if (words.empty()) return read_version(words_of(line.text));
    if (!words.front().text.starts_with('#')) {
      if (heading_) read_values(words, line.number, log.glued);
      return;
    }
    words.front().text.remove_prefix(1);
    ++words.front().column;
    if (words.front().text.empty()) words.erase(words.begin());
    if (!words.empty()) read_comment(words, line.number);
  }

  // NCCL version 2.6.4+cuda10.1
  void read_version(const Words& words) {
    const auto name = std::ranges::find(words, std::string_view{"version"}, &Word::text);
    const bool own = name != words.end() && name != words.begin() && (name - 1)->text == "NCCL";
    if (own && name + 1 != words.end()) tests_.nccl_version = (name + 1)->text;
  }

  // --- comments

  void read_comment(const Words& words, int line) {
    const std::string_view first = words.front().text;
    if (first == "Rank") {
      read_rank(words);
    } else if (first == "nThread") {
      read_settings(words);
    } else if (first == "nccl-tests") {
      read_versions(words);
    } else if (is_nccl_heading(words)) {
      read_heading(words, line);
    } else if (first.starts_with('(') && heading_ && tests_.rows.empty()) {
      std::vector<Problem> problems;
      read_nccl_units(words, *heading_, problems);
      adopt(problems, line);
    } else if (first == "Collective" && words.back().text.ends_with("_perf")) {
      read_operation(words.back(), line);
    } else if (first == "Out" && words.back().text == "FAILED") {
      tests_.remarks.emplace_back("The test found wrong sums (Out of bounds values: FAILED).");
    }
    labels_.clear();
    for (const Word& word : words) {
      if (word.text == "out-of-place" || word.text == "in-place") labels_.emplace_back(word.text);
    }
  }

  // Rank 3 Group 0 Pid 12 on HOST device 3 [0000:b5:00] NAME OF THE DEVICE
  void read_rank(const Words& words) {
    const auto after = [&](std::string_view name) {
      const auto found = std::ranges::find(words, name, &Word::text);
      const bool any = found != words.end() && found + 1 != words.end();
      return any ? (found + 1)->text : std::string_view{};
    };
    const auto number = parse_whole(after("Rank"));
    if (!number) return;
    NcclRank rank{.number = *number,
                  .group = parse_whole(after("Group")).value_or(0),
                  .host = std::string{after("on")},
                  .device = {}};
    auto part = std::ranges::find_if(words, [](const Word& word) {
      return word.text.starts_with('[') && word.text.ends_with(']');
    });
    while (part != words.end() && ++part != words.end()) {
      rank.device += rank.device.empty() ? "" : " ";
      rank.device += part->text;
    }
    ranks_.add(rank);
  }

  // ... warmup iters: 5 iters: 20 agg iters: 1 ...
  void read_settings(const Words& words) {
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
      const std::string_view before = words[i - 1].text;
      if (words[i].text != "iters:" || before == "warmup" || before == "agg") continue;
      tests_.operations = parse_whole(words[i + 1].text);
    }
  }

  // nccl-tests version 2.17.6 nccl-headers=22809 nccl-library=22809
  void read_versions(const Words& words) {
    if (words.size() > 2 && words[1].text == "version") tests_.tests_version = words[2].text;
    constexpr std::string_view library = "nccl-library=";
    for (const Word& word : words) {
      if (!word.text.starts_with(library)) continue;
      const auto code = parse_whole(word.text.substr(library.size()));
      tests_.nccl_version = nccl_version_text(code.value_or(0));
    }
  }

  void read_operation(const Word& name, int line) {
    if (name.text.find("all_reduce") != std::string_view::npos) return;
    file_problem({file_, line, name.column}, {}, in_quotes(name.text), "all_reduce_perf");
  }

  // --- the table

  void read_heading(const Words& words, int line) {
    if (heading_) {
      file_problem({file_, line, words.front().column}, {}, "a second line of column names",
                   "one run a file: cut it in two before the second begins");
      return;
    }
    std::vector<Problem> problems;
    heading_ = read_nccl_heading(words, labels_, problems);
    adopt(problems, line);
  }

  void adopt(const std::vector<Problem>& problems, int line) {
    for (const Problem& problem : problems) {
      file_problem({file_, line, problem.where.column}, problem.key, problem.found,
                   problem.expected);
    }
  }

  void read_values(const Words& words, int line, bool glued) {
    const auto fits = [&](std::size_t count) { return count <= heading_->columns.size(); };
    if (!row_.parts.empty() && !fits(row_.parts.size() + words.size())) refuse_row();
    const auto has_whole = [&](std::size_t column) {
      return column < words.size() && parse_whole(words[column].text).has_value();
    };
    const bool begins = has_whole(heading_->size) && has_whole(heading_->count);
    const bool goes_on = !row_.parts.empty() && is_value(words.front().text);
    if (!begins && !goes_on) return;  // somebody else's
    row_.broken = row_.broken || !row_.parts.empty();
    for (const Word& word : words) row_.parts.push_back({word, line});
    if (glued) row_.doubts.push_back(row_.parts.size());
    const std::size_t count = row_.parts.size();
    if (count == heading_->columns.size()) {
      read_row();
    } else if (count + row_.doubts.size() == heading_->columns.size()) {
      for (auto doubt = row_.doubts.rbegin(); doubt != row_.doubts.rend(); ++doubt) {
        Row::Part hidden = row_.parts[*doubt - 1];
        hidden.word.text = hidden_word;
        row_.parts.insert(row_.parts.begin() + static_cast<std::ptrdiff_t>(*doubt), hidden);
      }
      read_row();
    } else if (!fits(count)) {
      refuse_row();
    }
  }

  void refuse_row() {
    const Row::Part& first = row_.parts.front();
    file_problem({file_, first.line, first.word.column}, {}, counted(row_.parts.size(), "value"),
                 fmt::format("{}, as many as column names", heading_->columns.size()));
    row_ = {};
  }

  void read_row() {
    const Row row = std::exchange(row_, {});
    broken_rows_ += row.broken ? 1 : 0;
    const Row::Part& size = row.parts[heading_->size];
    const auto bytes = parse_whole(size.word.text);
    if (!bytes || *bytes < 0 || *bytes > largest_size) {
      file_problem(size, "size", fmt::format("a whole number, from 0 to {}", largest_size));
      return;
    }
    if (*bytes == 0) return;  // nothing was sent
    NcclRow read{.size = Bytes{heading_->units[heading_->size] * static_cast<double>(*bytes)},
                 .out_of_place = read_group(row, heading_->out_of_place),
                 .in_place = read_group(row, heading_->in_place)};
    tests_.rows.push_back(read);
    add_kind(row);
  }

  std::optional<NcclTime> read_group(const Row& row, const std::optional<NcclGroup>& group) {
    if (!group) return std::nullopt;
    const auto printed = [&](std::optional<std::size_t> column) -> std::optional<Printed> {
      if (!column) return std::nullopt;
      const std::string_view text = row.parts[*column].word.text;
      const double unit = heading_->units[*column];
      const auto number = parse_number(text);
      if (number && *number >= 0.0) return Printed{*number * unit, rounding_of(text) * unit};
      file_problem(row.parts[*column], heading_->columns[*column], "a number, at least 0");
      return std::nullopt;
    };
    const Row::Part& time = row.parts[group->time];
    const auto seconds = printed(group->time);
    if (!seconds) return std::nullopt;
    if (!(seconds->value > 0.0) || seconds->value > longest_time) {
      file_problem(time, heading_->columns[group->time], "more than 0 and at most a day");
      return std::nullopt;
    }
    return NcclTime{.seconds = *seconds,
                    .algbw = printed(group->algbw),
                    .busbw = printed(group->busbw),
                    .at = {.line = time.line, .column = time.word.column}};
  }

  void add_kind(const Row& row) {
    std::string kind;
    for (std::size_t i = 0; i < heading_->columns.size(); ++i) {
      const std::string& column = heading_->columns[i];
      if (column != "type" && column != "redop") continue;
      const Row::Part& part = row.parts[i];
      if (column == "redop" && part.word.text == "none") {
        file_problem(part, column, "an operation such as sum: only all-reduces are read");
      }
      if (part.word.text == hidden_word) return;
      kind += kind.empty() ? "" : " ";
      kind += part.word.text;
    }
    constexpr std::size_t most = 8;  // to name
    const bool known = std::ranges::find(kinds_, kind) != kinds_.end();
    if (!known && kinds_.size() < most) kinds_.push_back(std::move(kind));
  }

  void add_remarks() {
    if (broken_rows_ > 0) {
      tests_.remarks.push_back(
          fmt::format("{} broken by what other programs wrote, and put together again.",
                      broken_rows_ == 1 ? "1 row was" : fmt::format("{} rows were", broken_rows_)));
    }
    if (kinds_.size() > 1) {
      tests_.remarks.push_back(
          fmt::format("Times are of {}, put together.", fmt::join(kinds_, " and ")));
    }
  }

  const std::string& file_;
  NcclTests tests_;
  NcclRanks ranks_;
  std::vector<std::string> labels_;  // of groups, in the comment before
  std::optional<NcclHeading> heading_;
  Row row_;
  std::size_t broken_rows_{0};
  std::vector<std::string> kinds_;  // type and operation
  std::vector<Problem> problems_;
};

}  // namespace

NcclTests parse_nccl_tests_text(std::string_view text, const std::string& file) {
  return TextReader{file}.read(text);
}

}  // namespace dbsim
