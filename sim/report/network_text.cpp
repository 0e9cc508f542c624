#include "sim/report/network_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/base/check.hpp"
#include "sim/base/statistics.hpp"

namespace dbsim {

namespace {

/// Four figures, as few decimals as they need.
std::string four_figures(double value) {
  const int digits = value > 0.0 ? static_cast<int>(std::floor(std::log10(value))) : 0;
  return fmt::format("{:.{}f}", value, std::clamp(3 - digits, 0, 4));
}

std::string gigabytes(BytesPerSecond rate) {
  constexpr double giga = 1e9;
  return four_figures(rate.count() / giga);
}

std::string microseconds(Seconds time) {
  constexpr double micro = 1e6;
  return four_figures(micro * time.count());
}

std::string signed_percent(double fraction) {
  const double value = 100.0 * fraction;
  constexpr double shown = 0.05;
  return std::abs(value) < shown ? "0.0" : fmt::format("{:+.1f}", value);
}

std::string bytes_text(Bytes size) { return grouped_digits(std::llround(size.count())); }

/// How much longer than measured a law takes.
std::string excess(const NetworkFit& law, const NetworkPoint& point) {
  return signed_percent(law.time(point.bytes).count() / point.time.median - 1.0);
}

std::string half_width(const OperationTime& time) {
  if (!time.low || !time.high) return "-";
  return fmt::format("{:.1f}", 50.0 * (*time.high - *time.low) / time.median);
}

struct PointColumn {
  Column column;
  std::function<std::string(const NetworkPoint&)> cell;
};

std::vector<PointColumn> measured_columns(int ranks) {
  return {{{.title = "size", .unit = "bytes"},
           [](const NetworkPoint& point) { return bytes_text(point.bytes); }},
          {{.title = "time", .unit = "us"},
           [](const NetworkPoint& point) { return microseconds(Seconds{point.time.median}); }},
          {{.title = "+-", .unit = "%"},
           [](const NetworkPoint& point) { return half_width(point.time); }},
          {{.title = "times", .unit = ""},
           [](const NetworkPoint& point) {
             return point.time.repetitions ? fmt::format("{}", *point.time.repetitions) : "-";
           }},
          {{.title = "algbw", .unit = "GB/s"},
           [](const NetworkPoint& point) {
             return gigabytes(BytesPerSecond{point.bytes.count() / point.time.median});
           }},
          {{.title = "busbw", .unit = "GB/s"}, [ranks](const NetworkPoint& point) {
             return gigabytes(bus_bandwidth(point.bytes, Seconds{point.time.median}, ranks));
           }}};
}

std::vector<PointColumn> fitted_columns(const NetworkFit& fit) {
  NetworkFit line = fit;
  line.efficiency.clear();
  return {
      {{.title = "line", .unit = "off %"},
       [line](const NetworkPoint& point) { return excess(line, point); }},
      {{.title = "fit", .unit = "us"},
       [fit](const NetworkPoint& point) { return microseconds(fit.time(point.bytes)); }},
      {{.title = "fit", .unit = "off %"},
       [fit](const NetworkPoint& point) { return excess(fit, point); }},
  };
}

/// Columns of which no point knows anything are left out.
Grid points_grid(const NetworkDocument& document) {
  std::vector<PointColumn> columns = measured_columns(document.ranks());
  if (document.fit) {
    for (PointColumn& column : fitted_columns(*document.fit)) columns.push_back(std::move(column));
  }
  Grid grid;
  grid.rows.resize(document.points.size());
  for (const PointColumn& one : columns) {
    const bool known = std::ranges::any_of(
        document.points, [&](const NetworkPoint& point) { return one.cell(point) != "-"; });
    if (!known) continue;
    grid.columns.push_back(one.column);
    for (std::size_t i = 0; i < document.points.size(); ++i) {
      grid.rows[i].push_back({.text = one.cell(document.points[i])});
    }
  }
  return grid;
}

std::string fit_sentence(const NetworkDocument& document) {
  const NetworkFit& fit = *document.fit;
  const int ranks = document.ranks();
  // The bandwidth on the bus is that of a message that takes no other time.
  const BytesPerSecond bus = bus_bandwidth(Bytes{fit.bandwidth.count()}, Seconds{1.0}, ranks);
  return fmt::format(
      "Latency {}, bandwidth {} GB/s (busbw {} GB/s). From {} on, a straight line is at most {} "
      "off; with the efficiencies, all sizes are at most {} off.",
      to_text(fit.latency), gigabytes(fit.bandwidth), gigabytes(bus), to_text(fit.affine_from),
      percent(fit.affine_residual), percent(fit.residual));
}

}  // namespace

std::string network_text(const NetworkDocument& document, const TableStyle& style) {
  const std::size_t hosts = document.ranks_per_host.size();
  std::string text = painted(fmt::format("All-reduce between {} ranks on {} host{}",
                                         document.ranks(), hosts, hosts == 1 ? "" : "s"),
                             Tone::heading, style) +
                     '\n';
  std::string means = fmt::format("{}", fmt::join(document.devices, ", "));
  if (!means.empty() && !document.library.empty()) means += "; ";
  means += document.library;
  if (!means.empty()) text += wrapped_after("", means, style);
  text += '\n' + grid_text(points_grid(document), style);
  if (document.fit) text += '\n' + wrapped_after("", fit_sentence(document), style);
  if (!document.remarks.empty()) text += '\n' + painted("Notes", Tone::heading, style) + '\n';
  for (const std::string& remark : document.remarks) text += wrapped_after("- ", remark, style);
  return text;
}

std::string predictions_text(const std::vector<NamedPredictions>& files, const TableStyle& style) {
  Grid grid{.columns = {{"file", "", Align::left},
                        {"predicted", "sizes", Align::right},
                        {"median", "off %", Align::right},
                        {"p95", "off %", Align::right},
                        {"worst", "off %", Align::right},
                        {"at", "bytes", Align::right}},
            .rows = {}};
  const auto off = [](double fraction) { return fmt::format("{:.1f}", 100.0 * fraction); };
  for (const NamedPredictions& file : files) {
    check(!file.predictions.empty(), "something is predicted");
    const std::vector<double> errors = relative_errors(file.predictions);
    const auto worst = std::ranges::max_element(errors);
    constexpr double high_percentile = 0.95;
    const Prediction& at = file.predictions[static_cast<std::size_t>(worst - errors.begin())];
    grid.rows.push_back({{.text = file.name},
                         {.text = fmt::format("{}", file.predictions.size())},
                         {.text = off(median(errors))},
                         {.text = off(quantile(errors, high_percentile))},
                         {.text = off(*worst)},
                         {.text = bytes_text(at.bytes)}});
  }
  return grid_text(grid, style);
}

}  // namespace dbsim
