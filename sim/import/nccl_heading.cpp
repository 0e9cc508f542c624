#include "sim/import/nccl_heading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/io/quantity.hpp"
#include "sim/io/wording.hpp"

namespace dbsim {

namespace {

bool is_time(std::string_view name) { return name == "time" || name == "cputime"; }
bool is_rate(std::string_view name) { return name == "algbw" || name == "busbw"; }
bool has_unit(std::string_view name) {
  constexpr std::array<std::string_view, 6> others{"size",  "count", "i_min",
                                                   "i_max", "i_p99", "i_cv%"};
  return is_time(name) || is_rate(name) || std::ranges::find(others, name) != others.end();
}

void file_problem(std::vector<Problem>& problems, int column, std::string_view key,
                  std::string found, std::string expected) {
  problems.push_back(
      {{{}, 0, column}, std::string{key}, std::move(found), std::move(expected), {}});
}

/// Where there is no line of units.
double usual_unit(std::string_view name) {
  constexpr double micro = 1e-6;
  constexpr double giga = 1e9;
  return is_time(name) ? micro : is_rate(name) ? giga : 1.0;
}

void read_unit(const Word& word, std::string_view name, double& unit,
               std::vector<Problem>& problems) {
  const std::string one = fmt::format("1 {}", word.text.substr(1, word.text.size() - 2));
  const auto take = [&](const auto& read, std::string_view known) {
    if (read) {
      unit = read->count();
    } else {
      file_problem(problems, word.column, name, in_quotes(word.text),
                   fmt::format("one of {} in brackets", known));
    }
  };
  if (name == "size") take(parse_size(one), size_units);
  if (is_time(name)) take(parse_duration(one), duration_units);
  if (is_rate(name)) take(parse_bandwidth(one), bandwidth_units);
}

}  // namespace

bool is_nccl_heading(const std::vector<Word>& words) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(words, name, &Word::text) != words.end();
  };
  return has("size") && has("count");
}

NcclHeading read_nccl_heading(const std::vector<Word>& words,
                              const std::vector<std::string>& labels,
                              std::vector<Problem>& problems) {
  NcclHeading heading;
  std::vector<NcclGroup> groups;
  for (const Word& word : words) {
    const std::size_t place = heading.columns.size();
    if (word.text == "size") heading.size = place;
    if (word.text == "count") heading.count = place;
    if (is_time(word.text)) groups.push_back({.time = place, .algbw = {}, .busbw = {}});
    if (word.text == "algbw" && !groups.empty()) groups.back().algbw = place;
    if (word.text == "busbw" && !groups.empty()) groups.back().busbw = place;
    heading.columns.emplace_back(word.text);
    // A date and a time of day.
    if (word.text == "timestamp") heading.columns.emplace_back("of day");
  }
  for (const std::string& name : heading.columns) heading.units.push_back(usual_unit(name));
  const std::vector<std::string> usual{"out-of-place", "in-place"};
  const std::vector<std::string>& names = labels.empty() ? usual : labels;
  if (groups.empty() || groups.size() > names.size()) {
    file_problem(
        problems, words.front().column, {},
        fmt::format("{} column{} named time", groups.size(), groups.size() == 1 ? "" : "s"),
        "one out of place and one in place, or one of them");
    return heading;
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    (names[i] == "in-place" ? heading.in_place : heading.out_of_place) = groups[i];
  }
  return heading;
}

void read_nccl_units(const std::vector<Word>& words, NcclHeading& heading,
                     std::vector<Problem>& problems) {
  auto word = words.begin();
  for (std::size_t i = 0; i < heading.columns.size(); ++i) {
    const std::string& name = heading.columns[i];
    if (!has_unit(name)) continue;
    const bool good = word != words.end() && word->text.starts_with('(') &&
                      word->text.ends_with(')') && word->text.size() > 2;
    if (!good) {
      file_problem(problems, words.front().column, name, "no unit for this column",
                   "units below column names, such as (B), (us) and (GB/s)");
      return;
    }
    read_unit(*word++, name, heading.units[i], problems);
  }
}

}  // namespace dbsim
