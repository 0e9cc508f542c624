#include "calib/network/network_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calib/network/median_interval.hpp"

namespace dbsim::calib {

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

std::string signed_percent(double fraction) {
  const double value = 100.0 * fraction;
  constexpr double shown = 0.05;
  return std::abs(value) < shown ? "0.0" : fmt::format("{:+.1f}", value);
}

/// How much longer than measured the law takes.
double excess(Seconds predicted, const NetworkPoint& point) {
  return predicted.count() / point.time.median - 1.0;
}

Grid points_grid(const NetworkDocument& document) {
  Grid grid;
  grid.columns = {{.title = "size", .unit = "bytes"}, {.title = "time", .unit = "us"},
                  {.title = "+-", .unit = "%"},       {.title = "repeats", .unit = ""},
                  {.title = "algbw", .unit = "GB/s"}, {.title = "busbw", .unit = "GB/s"},
                  {.title = "line off", .unit = "%"}, {.title = "fit off", .unit = "%"}};
  const int ranks = document.ranks();
  for (const NetworkPoint& point : document.points) {
    constexpr double micro = 1e6;
    const Seconds median{point.time.median};
    const auto half_width = relative_half_width(point.time);
    std::string line = "-";
    std::string fit = "-";
    if (document.fit) {
      NetworkFit straight = *document.fit;
      straight.efficiency.clear();
      line = signed_percent(excess(straight.time(point.bytes), point));
      fit = signed_percent(excess(document.fit->time(point.bytes), point));
    }
    grid.rows.push_back(
        {{.text = grouped_digits(std::llround(point.bytes.count()))},
         {.text = four_figures(micro * median.count())},
         {.text = half_width ? fmt::format("{:.1f}", 100.0 * *half_width) : "-"},
         {.text = point.time.repetitions ? fmt::format("{}", *point.time.repetitions) : "-"},
         {.text = gigabytes(BytesPerSecond{point.bytes.count() / median.count()})},
         {.text = gigabytes(bus_bandwidth(point.bytes, median, ranks))},
         {.text = line},
         {.text = fit}});
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

std::string network_table(const NetworkDocument& document, const TableStyle& style) {
  const std::size_t hosts = document.ranks_per_host.size();
  std::string text = painted(fmt::format("All-reduce between {} ranks on {} host{}",
                                         document.ranks(), hosts, hosts == 1 ? "" : "s"),
                             Tone::heading, style) +
                     '\n';
  const std::string devices = fmt::format("{}", fmt::join(document.devices, ", "));
  text += wrapped_after("", fmt::format("{}; {}", devices, document.library), style);
  text += '\n' + grid_text(points_grid(document), style);
  if (document.fit) text += '\n' + wrapped_after("", fit_sentence(document), style);
  if (!document.remarks.empty()) text += '\n' + painted("Notes", Tone::heading, style) + '\n';
  for (const std::string& remark : document.remarks) text += wrapped_after("- ", remark, style);
  return text;
}

}  // namespace dbsim::calib
