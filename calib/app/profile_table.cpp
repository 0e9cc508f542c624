#include "calib/app/profile_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace dbsim::calib {

namespace {

/// Four figures, as few decimals as they need.
std::string milliseconds(double seconds) {
  constexpr double per_second = 1000.0;
  const double value = per_second * seconds;
  const int digits = value > 0.0 ? static_cast<int>(std::floor(std::log10(value))) : 0;
  return fmt::format("{:.{}f}", value, std::clamp(3 - digits, 0, 4));
}

std::string part(const std::optional<TimeStatistics>& statistics) {
  return statistics ? milliseconds(statistics->median) : "-";
}

std::string margin(const TimeStatistics& step) {
  if (!step.low || !step.high) return "-";
  const double half = std::max(*step.high - step.median, step.median - *step.low);
  return fmt::format("{:.1f}", 100.0 * half / step.median);
}

std::string rate(const ProfilePoint& point) {
  const double per_second = static_cast<double>(point.batch.count()) / point.step.median;
  constexpr double exact_below = 100.0;
  return per_second < exact_below ? fmt::format("{:.1f}", per_second)
                                  : grouped_digits(std::llround(per_second));
}

Grid points_grid(const ProfileDocument& document) {
  Grid grid;
  grid.columns = {{.title = "batch", .unit = ""},      {.title = "step", .unit = "ms"},
                  {.title = "±", .unit = "%"},         {.title = "forward", .unit = "ms"},
                  {.title = "backward", .unit = "ms"}, {.title = "update", .unit = "ms"},
                  {.title = "samples/s", .unit = ""},  {.title = "memory", .unit = ""}};
  for (const ProfilePoint& point : document.points) {
    grid.rows.push_back({{.text = fmt::format("{}", point.batch.count())},
                         {.text = milliseconds(point.step.median)},
                         {.text = margin(point.step)},
                         {.text = part(point.forward)},
                         {.text = part(point.backward)},
                         {.text = part(point.update)},
                         {.text = rate(point)},
                         {.text = point.memory ? to_text(*point.memory) : "-"}});
  }
  return grid;
}

Grid interference_grid(const ProfileDocument& document) {
  Grid grid;
  grid.columns = {{.title = "beside", .unit = "", .align = Align::left},
                  {.title = "how many", .unit = ""},
                  {.title = "slowdown", .unit = "times"}};
  for (const InterferenceRow& row : document.interference) {
    grid.rows.push_back({{.text = row.load},
                         {.text = fmt::format("{:.3g}", row.intensity)},
                         {.text = fmt::format("{:.2f}", row.slowdown)}});
  }
  return grid;
}

std::string memory_sentence(const ProfileDocument& document) {
  if (document.max_batch) {
    return fmt::format("Largest batch that fits in memory: {}.",
                       grouped_digits(document.max_batch->count()));
  }
  return "Where memory ends is not known; --batches LOW:max looks for it.";
}

}  // namespace

std::string profile_table(const ProfileDocument& document, const TableStyle& style) {
  std::string text = painted(fmt::format("{} on {}", document.model.name, document.device.name),
                             Tone::heading, style) +
                     '\n';
  text +=
      wrapped_after("", fmt::format("{}, {}", document.model.precision, document.backend), style);
  text += '\n' + grid_text(points_grid(document), style);
  text += '\n' + wrapped_after("", memory_sentence(document), style);
  if (!document.interference.empty()) {
    text += '\n' + grid_text(interference_grid(document), style);
  }
  if (!document.remarks.empty()) text += '\n' + painted("Notes", Tone::heading, style) + '\n';
  for (const std::string& remark : document.remarks) text += wrapped_after("- ", remark, style);
  return text;
}

}  // namespace dbsim::calib
