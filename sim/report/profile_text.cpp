#include "sim/report/profile_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace dbsim {

namespace {

/// Four digits that count, four decimals at most.
std::string digits(double value) {
  if (!(value > 0.0)) return "0";
  const int before = static_cast<int>(std::floor(std::log10(value))) + 1;
  return fmt::format("{:.{}f}", value, std::clamp(4 - before, 0, 4));
}

std::string milliseconds(double seconds) { return digits(seconds * 1e3); }

std::string milliseconds(const std::optional<TimeStatistics>& part) {
  return part ? milliseconds(part->median) : "-";
}

std::string lead(std::string_view name) { return fmt::format("{:<10}", name); }

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

std::string prefixed(std::string_view prefix, const std::string& text) {
  return text.empty() ? text : fmt::format("{} {}", prefix, text);
}

std::string subject_text(const ProfileDocument& document, const TableStyle& style) {
  const ProfileDocument::Device& device = document.device;
  const ProfileDocument::Model& model = document.model;
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += wrapped_after(lead(name), value, style);
  };
  line("device", joined({device.name, device.memory ? to_text(*device.memory) : "",
                         prefixed("driver", device.driver), prefixed("clocks", device.clocks),
                         device.temperature}));
  line("model",
       joined({model.name, fmt::format("{}", fmt::join(model.input_shape, " x ")), model.precision,
               model.parameter_bytes ? to_text(*model.parameter_bytes) + " of gradients" : ""}));
  line("backend", document.backend);
  line("date", document.date);
  line("source", document.source);
  if (document.max_batch) {
    line("limit", fmt::format("batch {} is the largest that fits", document.max_batch->count()));
  }
  return text;
}

struct PointColumn {
  Column column;
  std::function<std::string(const ProfilePoint&)> cell;
};

std::string interval_text(const TimeStatistics& statistics) {
  if (!statistics.low || !statistics.high) return "-";
  return fmt::format("{:.1f}", 50.0 * (*statistics.high - *statistics.low) / statistics.median);
}

/// Columns of which no point knows anything are left out.
std::string points_text(const std::vector<ProfilePoint>& points, const TableStyle& style) {
  const std::vector<PointColumn> columns{
      {{"batch", "", Align::right},
       [](const ProfilePoint& point) { return fmt::format("{}", point.batch.count()); }},
      {{"step", "ms", Align::right},
       [](const ProfilePoint& point) { return milliseconds(point.step.median); }},
      {{"95 %", "+- %", Align::right},
       [](const ProfilePoint& point) { return interval_text(point.step); }},
      {{"spread", "%", Align::right},
       [](const ProfilePoint& point) {
         return point.step.cv ? fmt::format("{:.1f}", *point.step.cv * 100.0) : "-";
       }},
      {{"times", "", Align::right},
       [](const ProfilePoint& point) {
         return point.step.repetitions ? fmt::format("{}", *point.step.repetitions) : "-";
       }},
      {{"samples", "per s", Align::right},
       [](const ProfilePoint& point) {
         return digits(static_cast<double>(point.batch.count()) / point.step.median);
       }},
      {{"forward", "ms", Align::right},
       [](const ProfilePoint& point) { return milliseconds(point.forward); }},
      {{"backward", "ms", Align::right},
       [](const ProfilePoint& point) { return milliseconds(point.backward); }},
      {{"update", "ms", Align::right},
       [](const ProfilePoint& point) { return milliseconds(point.update); }},
      {{"memory", "MB", Align::right}, [](const ProfilePoint& point) {
         return point.memory ? digits(point.memory->count() * 1e-6) : "-";
       }}};
  Grid grid;
  grid.rows.resize(points.size());
  for (const PointColumn& one : columns) {
    const bool known = std::ranges::any_of(
        points, [&](const ProfilePoint& point) { return one.cell(point) != "-"; });
    if (!known) continue;
    grid.columns.push_back(one.column);
    for (std::size_t i = 0; i < points.size(); ++i) {
      grid.rows[i].push_back({.text = one.cell(points[i])});
    }
  }
  return grid_text(grid, style);
}

std::string plot_text(const std::vector<ProfilePoint>& points, const TableStyle& style) {
  const auto per_sample = [](const ProfilePoint& point) {
    return point.step.median / static_cast<double>(point.batch.count());
  };
  double longest = 0.0;
  for (const ProfilePoint& point : points) longest = std::max(longest, per_sample(point));
  const double room = static_cast<double>(std::max(style.width, 40)) - 24.0;
  std::string text = painted("time per sample, us", Tone::heading, style) + "\n";
  for (const ProfilePoint& point : points) {
    const double length = std::max(std::round(room * per_sample(point) / longest), 1.0);
    text += fmt::format("{:>10}  {} {}\n", point.batch.count(),
                        std::string(static_cast<std::size_t>(length), '#'),
                        digits(per_sample(point) * 1e6));
  }
  return text;
}

std::string buckets_text(const std::vector<ProfileBucket>& buckets, const TableStyle& style) {
  Grid grid{.columns = {{"bucket", "", Align::right},
                        {"size", "", Align::right},
                        {"ready", "% of backward", Align::right}},
            .rows = {}};
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    grid.rows.push_back({{.text = fmt::format("{}", i + 1)},
                         {.text = to_text(buckets[i].bytes)},
                         {.text = fmt::format("{:.1f}", buckets[i].ready * 100.0)}});
  }
  return grid_text(grid, style);
}

std::string interference_text(const std::vector<InterferenceRow>& rows, const TableStyle& style) {
  Grid grid{.columns = {{"background load", "", Align::left},
                        {"intensity", "", Align::right},
                        {"step takes", "times as long", Align::right}},
            .rows = {}};
  for (const InterferenceRow& row : rows) {
    grid.rows.push_back({{.text = row.load},
                         {.text = fmt::format("{:.4g}", row.intensity)},
                         {.text = fmt::format("{:.2f}", row.slowdown)}});
  }
  return grid_text(grid, style);
}

std::string measured_mark(double seconds, bool measured) {
  return milliseconds(seconds) + (measured ? " " : "*");
}

}  // namespace

std::string profile_text(const ProfileDocument& document, const TableStyle& style) {
  std::string text = subject_text(document, style);
  text += '\n' + points_text(document.points, style);
  text += '\n' + plot_text(document.points, style);
  if (!document.buckets.empty()) text += '\n' + buckets_text(document.buckets, style);
  if (!document.interference.empty()) {
    text += '\n' + interference_text(document.interference, style);
  }
  if (!document.remarks.empty()) {
    text += '\n' + painted("Remarks", Tone::heading, style) + '\n';
    for (const std::string& remark : document.remarks) {
      text += wrapped_after("  ", remark, style);
    }
  }
  return text;
}

std::string comparison_text(const std::vector<ProfileDifference>& differences,
                            const TableStyle& style) {
  Grid grid{.columns = {{"batch", "", Align::right},
                        {"first", "ms ", Align::right},
                        {"second", "ms ", Align::right},
                        {"second / first", "", Align::right},
                        {"intervals", "", Align::left}},
            .rows = {}};
  bool any_told = false;
  for (const ProfileDifference& row : differences) {
    any_told = any_told || !row.common();
    const std::string_view intervals =
        !row.intervals_overlap ? "-" : (*row.intervals_overlap ? "overlap" : "apart");
    grid.rows.push_back({{.text = fmt::format("{}", row.batch.count())},
                         {.text = measured_mark(row.first, row.first_measured)},
                         {.text = measured_mark(row.second, row.second_measured)},
                         {.text = fmt::format("{:.3f}", row.ratio())},
                         {.text = std::string{intervals}}});
  }
  std::string text = grid_text(grid, style);
  if (any_told) text += "* not measured, told from its neighbours\n";
  return text;
}

}  // namespace dbsim
