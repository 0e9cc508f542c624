#include "sim/scenario/network_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "sim/scenario/row_file.hpp"

namespace dbsim {

namespace {

void refuse(const Where& where, std::string found, std::string expected,
            std::vector<Problem>& problems) {
  problems.push_back({where, {}, std::move(found), std::move(expected), {}});
}

void throw_if_any(std::vector<Problem> problems) {
  if (!problems.empty()) throw InputError{std::move(problems)};
}

}  // namespace

std::vector<Seconds> read_delays(std::string_view text, const std::string& file) {
  constexpr std::array columns{RowColumn{"delay"}};
  std::vector<Problem> problems;
  std::vector<Seconds> delays;
  read_rows(
      text, file, columns,
      [&](std::span<const RowCell> row) {
        if (const auto delay = duration_in(row[0], problems)) delays.push_back(*delay);
      },
      problems);
  if (problems.empty() && delays.empty()) refuse({file, 0, 0}, "no delay", "one a line", problems);
  throw_if_any(std::move(problems));
  return delays;
}

BandwidthProfile read_bandwidth_profile(std::string_view text, const std::string& file,
                                        std::optional<Seconds> loop) {
  constexpr std::array columns{RowColumn{"time"}, RowColumn{"bandwidth"}};
  std::vector<Problem> problems;
  BandwidthProfile profile{.lines = {}, .loop = loop};
  Where last;
  read_rows(
      text, file, columns,
      [&](std::span<const RowCell> row) {
        const auto at = duration_in(row[0], problems);
        const auto bandwidth = bandwidth_in(row[1], problems);
        if (!at || !bandwidth) return;
        if (!profile.lines.empty() && *at <= profile.lines.back().at) {
          refuse(row[0].where, fmt::format("\"{}\"", row[0].text),
                 "a time after that of the line before", problems);
        }
        profile.lines.push_back({*at, *bandwidth});
        last = row[1].where;
      },
      problems);
  if (problems.empty() && profile.lines.empty()) {
    refuse({file, 0, 0}, "no bandwidth", "a time and a bandwidth a line", problems);
  } else if (problems.empty()) {
    const bool ever = std::ranges::any_of(
        profile.lines, [](const BandwidthAt& line) { return line.bandwidth.count() > 0.0; });
    const bool in_the_end = profile.lines.back().bandwidth.count() > 0.0;
    if (loop ? !ever : !in_the_end) {
      refuse(last, "no bandwidth for good", "some in the end, or messages never arrive", problems);
    }
  }
  throw_if_any(std::move(problems));
  return profile;
}

TracedTraffic read_traffic_trace(std::string_view text, const std::string& file,
                                 const EndsOf& ends_of) {
  constexpr std::array columns{RowColumn{"start"}, RowColumn{"from"}, RowColumn{"to"},
                               RowColumn{"size"}, RowColumn{"limit", Need::optional}};
  std::vector<Problem> problems;
  TracedTraffic trace;
  read_rows(
      text, file, columns,
      [&](std::span<const RowCell> row) {
        const auto start = duration_in(row[0], problems);
        const auto ends = ends_of(row[1], row[2], problems);
        const auto size = size_in(row[3], problems);
        std::optional<BytesPerSecond> limit;
        if (!row[4].text.empty()) limit = bandwidth_in(row[4], problems);
        if (limit && limit->count() == 0.0) {
          refuse(row[4].where, "a flow without bandwidth", "a limit above zero, or none", problems);
        }
        if (start && ends && size) trace.flows.push_back({*start, *ends, *size, limit});
      },
      problems);
  throw_if_any(std::move(problems));
  std::ranges::stable_sort(trace.flows, {}, &TracedFlow::start);
  return trace;
}

}  // namespace dbsim
