#include "sim/report/profile_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

#include "sim/report/layout.hpp"

namespace dbsim {

namespace {

double batch_of(const ProfilePoint& point) { return static_cast<double>(point.batch.count()); }

struct Unit {
  std::string_view name;
  double seconds;
};

/// The largest of which the longest time has at least ten.
Unit unit_for(double longest) {
  for (const Unit unit : {Unit{"s", 1.0}, Unit{"ms", 1e-3}, Unit{"µs", 1e-6}}) {
    if (longest >= 10.0 * unit.seconds) return unit;
  }
  return {"ns", 1e-9};
}

/// A second measurement's interval where the profile has one, else the middle 90 % of all steps.
std::optional<Dot::Reach> reach_of(const TimeStatistics& step) {
  if (step.low && step.high) return Dot::Reach{*step.low, *step.high};
  if (step.p05 && step.p95) return Dot::Reach{*step.p05, *step.p95};
  return std::nullopt;
}

/// How far beyond its points a curve is followed, as a factor.
constexpr double past_the_points(bool doublings) { return doublings ? 1.4 : 1.06; }

struct Bounds {
  double low{};
  double high{};
  [[nodiscard]] double ratio() const { return high / low; }
};

Bounds bounds(const std::vector<Place>& places, const std::function<double(const Place&)>& value) {
  Bounds all{value(places.front()), value(places.front())};
  for (const Place& place : places) {
    all = {std::min(all.low, value(place)), std::max(all.high, value(place))};
  }
  return all;
}

/// From the smallest batch to the largest or the end of memory.
Bounds batches_of(const DrawnProfiles& subjects) {
  Bounds batches{subjects.front().first(), subjects.front().last()};
  for (const DrawnProfile& subject : subjects) {
    batches.low = std::min(batches.low, subject.first());
    batches.high = std::max({batches.high, subject.last(), subject.limit().value_or(0.0)});
  }
  return batches;
}

/// Whether the batches span so much that doublings deserve equal room.
bool wide(const Bounds& batches) { return batches.high >= 8.0 * batches.low; }

Axis batch_axis(const Bounds& batches) {
  const bool doublings = wide(batches);
  const double past = past_the_points(doublings);
  const Scale scale = doublings ? Scale::covering(Spacing::doublings, batches.low, batches.high, 8)
                                : Scale::covering(Spacing::even, 0.0, batches.high, 6);
  return {.label = "batch, samples",
          .scale = scale.reaching(doublings ? batches.low / past : 0.0, batches.high * past)};
}

/// Where a curve is drawn: a little beyond its points, and to the end of memory but not beyond.
Bounds drawn_batches(const DrawnProfile& subject, bool doublings) {
  const double past = past_the_points(doublings);
  return {std::max(doublings ? subject.first() / past : 0.0, 1.0),
          subject.limit().value_or(subject.last() * past)};
}

/// Batches and times that the panels make room for: the medians, and of bars and of the curve
/// beyond the points as much as is not far from a median. What reaches further is cut off.
std::vector<Place> worth_room(const DrawnProfiles& subjects, bool doublings) {
  std::vector<Place> places;
  const auto add = [&](double batch, double time, double near) {
    constexpr double far = 1.5;
    places.push_back({batch, std::clamp(time, near / far, near * far)});
  };
  for (const DrawnProfile& subject : subjects) {
    const Bounds drawn = drawn_batches(subject, doublings);
    const double rest = std::max(subject.curve.at(drawn.high).count(), subject.last_time());
    places.push_back({drawn.high, rest});
    add(drawn.low, subject.curve.at(drawn.low).count(), subject.first_time());
    for (const ProfilePoint& point : subject.document.points) {
      const double median = point.step.median;
      places.push_back({batch_of(point), median});
      const auto reach = reach_of(point.step);
      if (!reach) continue;
      add(batch_of(point), reach->low, median);
      add(batch_of(point), reach->high, median);
    }
  }
  return places;
}

/// Draws the panels that all subjects share.
class CurveDrawing {
 public:
  explicit CurveDrawing(const DrawnProfiles& subjects)
      : subjects_{subjects}, batches_{batches_of(subjects)} {}

  [[nodiscard]] Panel step_panel() const {
    Panel panel{.x = batch_axis(batches_),
                .y = {.label = fmt::format("step time, {}", unit_.name),
                      .scale = Scale::covering(wide_ ? Spacing::decades : Spacing::even,
                                               wide_ ? times_.low / unit_.seconds : 0.0,
                                               times_.high / unit_.seconds)}};
    draw(panel, [&](double, double time) { return time / unit_.seconds; });
    return panel;
  }

  [[nodiscard]] Panel rate_panel() const {
    constexpr double flat = 30.0;  // on an even scale the lowest would lie on the axis
    const bool logarithmic = subjects_.size() > 1 && rates_.ratio() > flat;
    Panel panel{.x = batch_axis(batches_),
                .y = {.label = "throughput, samples/s",
                      .scale = Scale::covering(logarithmic ? Spacing::decades : Spacing::even,
                                               logarithmic ? rates_.low : 0.0, rates_.high)}};
    draw(panel, [](double batch, double time) { return batch / time; });
    if (subjects_.size() == 1) return panel;
    for (const DrawnProfile& subject : subjects_) {
      panel.names.push_back({.y = subject.last() / subject.curve.at(subject.last()).count(),
                             .text = subject.name,
                             .colour = subject.colour});
    }
    return panel;
  }

 private:
  using Value = std::function<double(double batch, double time)>;

  void draw(Panel& panel, const Value& value) const {
    for (const DrawnProfile& subject : subjects_) {
      draw_curve(panel, subject, value);
      draw_dots(panel, subject, value);
      const auto limit = subject.limit();
      if (!limit) continue;
      if (subjects_.size() == 1) {
        panel.marks.push_back({*limit, fmt::format("memory ends at {}", four_digits(*limit))});
        continue;
      }
      const Place end{*limit, value(*limit, subject.curve.at(*limit).count())};
      if (panel.y.scale.holds(end.y)) panel.ends.push_back({end, subject.colour});
    }
  }

  void draw_dots(Panel& panel, const DrawnProfile& subject, const Value& value) const {
    for (const ProfilePoint& point : subject.document.points) {
      const double batch = batch_of(point);
      const double median = point.step.median;
      Dot dot{.at = {batch, value(batch, median)},
              .says = fmt::format("{}, batch {}: {} {}, {} samples/s", subject.name,
                                  point.batch.count(), four_digits(median / unit_.seconds),
                                  unit_.name, four_digits(batch / median)),
              .colour = subject.colour};
      if (const auto reach = reach_of(point.step)) {
        constexpr double no_time = 1e-30;  // an interval may begin at zero; no logarithm does
        const auto [low, high] =
            std::minmax({value(batch, std::max(reach->low, no_time)), value(batch, reach->high)});
        dot.reach = Dot::Reach{low, high};
      }
      panel.dots.push_back(std::move(dot));
    }
  }

  /// What the simulator takes for true, solid where it lies between measurements.
  void draw_curve(Panel& panel, const DrawnProfile& subject, const Value& value) const {
    const Bounds drawn = drawn_batches(subject, wide_);
    const auto add = [&](double from, double to, Stroke stroke) {
      if (!(from < to)) return;
      panel.lines.push_back({.places = {}, .stroke = stroke, .colour = subject.colour});
      std::vector<Place>& places = panel.lines.back().places;
      const int pieces = stroke == Stroke::solid ? 64 : 16;
      for (int i = 0; i <= pieces; ++i) {
        const double part = static_cast<double>(i) / pieces;
        const double batch = wide_ ? from * std::pow(to / from, part) : from + (to - from) * part;
        const Place place{batch, value(batch, subject.curve.at(batch).count())};
        if (panel.y.scale.holds(place.y)) places.push_back(place);
      }
      if (places.size() < 2) panel.lines.pop_back();
    };
    add(drawn.low, subject.first(), Stroke::dashed);
    add(subject.first(), subject.last(), Stroke::solid);
    add(subject.last(), drawn.high, Stroke::dashed);
  }

  const DrawnProfiles& subjects_;
  Bounds batches_;
  bool wide_{wide(batches_)};
  std::vector<Place> places_{worth_room(subjects_, wide_)};
  Bounds times_{bounds(places_, [](const Place& place) { return place.y; })};
  Bounds rates_{bounds(places_, [](const Place& place) { return place.x / place.y; })};
  Unit unit_{unit_for(times_.high)};
};

struct Phase {
  std::string_view name;
  std::function<double(const ProfilePoint&)> seconds;
  Colour colour;
};

std::string share_text(double per_cent) {
  if (per_cent <= 0.0) return "";
  if (per_cent < 0.05) return " under 0.1 %";
  return fmt::format(" {:.{}f} %", per_cent, per_cent < 10.0 ? 1 : 0);
}

}  // namespace

double DrawnProfile::first() const { return batch_of(document.points.front()); }
double DrawnProfile::last() const { return batch_of(document.points.back()); }
double DrawnProfile::first_time() const { return document.points.front().step.median; }
double DrawnProfile::last_time() const { return document.points.back().step.median; }

std::optional<double> DrawnProfile::limit() const {
  constexpr double far_away = 8.0;
  if (!document.max_batch) return std::nullopt;
  const auto batch = static_cast<double>(document.max_batch->count());
  if (batch > far_away * last()) return std::nullopt;
  return batch;
}

std::vector<Panel> curve_panels(const DrawnProfiles& subjects) {
  const CurveDrawing drawing{subjects};
  return {drawing.step_panel(), drawing.rate_panel()};
}

// Backward above forward above update, and whatever is none of these on top; the names say how much
// it is at the largest batch.
std::optional<Panel> phases_panel(const DrawnProfile& subject) {
  const std::vector<ProfilePoint>& points = subject.document.points;
  const bool known = std::ranges::all_of(
      points, [](const ProfilePoint& point) { return point.forward && point.backward; });
  if (!known) return std::nullopt;
  const auto update = [](const ProfilePoint& point) {
    return point.update ? point.update->median : 0.0;
  };
  const auto forward = [](const ProfilePoint& point) { return point.forward->median; };
  const auto backward = [](const ProfilePoint& point) { return point.backward->median; };
  // The median of a step is not the sum of its parts' medians: a little is no phase of its own.
  const auto other = [&](const ProfilePoint& point) {
    constexpr double little = 0.01;
    const double rest = point.step.median - update(point) - forward(point) - backward(point);
    return rest > little * point.step.median ? rest : 0.0;
  };
  const std::vector<Phase> phases{{"update", update, 2},
                                  {"forward", forward, 0},
                                  {"backward", backward, 1},
                                  {"other", other, 6}};
  Panel panel{.x = batch_axis(batches_of({subject})),
              .y = {.label = "share of the step, %",
                    .scale = Scale::covering(Spacing::even, 0.0, 100.0, 6)}};
  std::vector<double> whole(points.size(), 0.0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const Phase& phase : phases) whole[i] += phase.seconds(points[i]);
  }
  std::vector<double> below(points.size(), 0.0);
  for (const Phase& phase : phases) {
    Area area{.upper = {}, .lower = {}, .colour = phase.colour};
    for (std::size_t i = 0; i < points.size(); ++i) {
      area.lower.push_back({batch_of(points[i]), below[i]});
      below[i] = std::min(below[i] + 100.0 * phase.seconds(points[i]) / whole[i], 100.0);
      area.upper.push_back({batch_of(points[i]), below[i]});
    }
    const bool anywhere = std::ranges::any_of(
        points, [&](const ProfilePoint& point) { return phase.seconds(point) > 0.0; });
    if (!anywhere) continue;
    const double top = area.upper.back().y;
    const double bottom = area.lower.back().y;
    panel.names.push_back({.y = (bottom + top) / 2.0,
                           .text = fmt::format("{}{}", phase.name, share_text(top - bottom)),
                           .colour = phase.colour});
    panel.areas.push_back(std::move(area));
  }
  return panel;
}

std::optional<Panel> interference_panel(const DrawnProfile& subject) {
  const std::vector<InterferenceRow>& rows = subject.document.interference;
  if (rows.empty()) return std::nullopt;
  double least = 1.0;
  double most = 1.0;
  Panel panel{.x = {.label = "step time beside it / alone",
                    .scale = Scale::covering(Spacing::even, 0.0, 1.0)},
              .y = {.label = "beside other tasks", .scale = Scale::rows(rows.size())}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Place at{rows[i].slowdown, static_cast<double>(i) + 0.5};
    const std::string times = fmt::format("{:.2f}", rows[i].slowdown);
    panel.y.names.push_back(fmt::format("{:.4g} × {}", rows[i].intensity, rows[i].load));
    panel.lines.push_back({.places = {{1.0, at.y}, at}});
    panel.dots.push_back(
        {.at = at,
         .says = fmt::format("beside {}: {} times as long", panel.y.names.back(), times)});
    panel.words.push_back({at, times});
    least = std::min(least, at.x);
    most = std::max(most, at.x);
  }
  const double room_for_words = 0.2 * (most - least);
  panel.x.scale =
      Scale::covering(Spacing::even, least, most, 6).reaching(least, most + room_for_words);
  return panel;
}

Panel ratio_panel(const DrawnProfiles& both, const std::vector<ProfileDifference>& differences) {
  constexpr Colour measured = 2;
  constexpr Colour told = 6;
  double least = 1.0;
  double most = 1.0;
  for (const ProfileDifference& row : differences) {
    least = std::min(least, row.ratio());
    most = std::max(most, row.ratio());
  }
  Panel panel{
      .x = batch_axis(batches_of(both)),
      .y = {.label = "ratio of step times", .scale = Scale::covering(Spacing::even, least, most)}};
  panel.lines.push_back({.places = {{panel.x.scale.low(), 1.0}, {panel.x.scale.high(), 1.0}},
                         .stroke = Stroke::thin,
                         .colour = told});
  for (const ProfileDifference& row : differences) {
    panel.dots.push_back(
        {.at = {static_cast<double>(row.batch.count()), row.ratio()},
         .says = fmt::format("batch {}: {:.3f} times as long", row.batch.count(), row.ratio()),
         .colour = row.common() ? measured : told});
  }
  return panel;
}

std::string four_digits(double value) {
  constexpr double whole_from = 1000.0;
  return value >= whole_from ? grouped_digits(std::llround(value)) : fmt::format("{:.4g}", value);
}

}  // namespace dbsim
