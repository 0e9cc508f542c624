#include "sim/report/profile_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "sim/base/check.hpp"
#include "sim/report/profile_panels.hpp"

namespace dbsim {

namespace {

std::string subject_name(const ProfileDocument& document) {
  return fmt::format("{} on {}", document.model.name, document.device.name);
}

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

DrawnProfiles subjects_of(const std::vector<NamedProfile>& profiles) {
  using Naming = std::function<std::string(const NamedProfile&)>;
  const Naming by_device = [](const auto& one) { return one.document.device.name; };
  const Naming by_model = [](const auto& one) { return one.document.model.name; };
  const Naming by_both = [](const auto& one) {
    return fmt::format("{}, {}", one.document.device.name, one.document.model.name);
  };
  const Naming by_file = [](const auto& one) { return std::string{file_name(one.file)}; };
  const auto tells_apart = [&](const Naming& naming) {
    std::set<std::string> names;
    for (const NamedProfile& one : profiles) names.insert(naming(one));
    return names.size() == profiles.size();
  };
  const Naming* chosen = &by_file;
  for (const Naming* naming : {&by_both, &by_model, &by_device}) {
    if (tells_apart(*naming)) chosen = naming;
  }
  DrawnProfiles subjects;
  for (const NamedProfile& one : profiles) {
    subjects.push_back({.document = one.document,
                        .curve = to_profile(one.document).step_time,
                        .name = (*chosen)(one),
                        .colour = subjects.size()});
  }
  return subjects;
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += std::string{text.empty() ? "" : between} + part;
  }
  return text;
}

std::vector<std::string> about_one(const ProfileDocument& document) {
  std::vector<std::string> lines;
  const std::string how =
      joined({document.model.precision, document.backend, document.date.substr(0, 10)}, " · ");
  if (!how.empty()) lines.push_back(how);
  if (!document.source.empty()) lines.push_back("Source: " + document.source);
  return lines;
}

/// Whose numbers they are, where that is said in a few words.
std::vector<std::string> about_all(const DrawnProfiles& subjects) {
  std::vector<std::string> sources;
  for (const DrawnProfile& subject : subjects) {
    const std::string& source = subject.document.source;
    if (!source.empty() && std::ranges::find(sources, source) == sources.end()) {
      sources.push_back(source);
    }
  }
  constexpr std::size_t few = 2;
  if (sources.empty() || sources.size() > few) return {};
  return {(sources.size() == 1 ? "Source: " : "Sources: ") + joined(sources, "; ")};
}

std::string title_of(const DrawnProfiles& subjects) {
  if (subjects.size() == 1) return subject_name(subjects.front().document);
  const auto same = [&](const auto& of) {
    return std::ranges::all_of(subjects, [&](const DrawnProfile& subject) {
      return of(subject.document) == of(subjects.front().document);
    });
  };
  const ProfileDocument& first = subjects.front().document;
  if (same([](const ProfileDocument& one) { return subject_name(one); }))
    return subject_name(first);
  if (same([](const ProfileDocument& one) { return one.model.name; })) {
    return fmt::format("{} on {} devices", first.model.name, subjects.size());
  }
  if (same([](const ProfileDocument& one) { return one.device.name; })) {
    return fmt::format("{} models on {}", subjects.size(), first.device.name);
  }
  return fmt::format("{} profiles", subjects.size());
}

std::string note_of(const DrawnProfiles& subjects) {
  bool intervals = false;
  bool spreads = false;
  bool limits = false;
  for (const DrawnProfile& subject : subjects) {
    for (const ProfilePoint& point : subject.document.points) {
      const bool interval = point.step.low && point.step.high;
      intervals = intervals || interval;
      spreads = spreads || (!interval && point.step.p05 && point.step.p95);
    }
    limits = limits || (subject.limit() && subjects.size() > 1);
  }
  std::string note = "Dots: median of a step.";
  if (intervals) note += " Bars: 95 % interval of the median.";
  if (spreads)
    note += " Bars" + std::string{intervals ? " elsewhere" : ""} + ": 5 % to 95 % of all steps.";
  note += " Lines: what dbsim interpolates, dashed where nothing was measured.";
  if (limits) note += " A stroke across a line: the largest batch that fits in memory.";
  return note;
}

/// The numbers, for whoever does not see the picture.
std::string description_of(const DrawnProfiles& subjects) {
  std::string text = "Step time and throughput by batch size.";
  for (const DrawnProfile& subject : subjects) {
    text += fmt::format(" {}:", subject_name(subject.document));
    std::string_view between = " ";
    for (const ProfilePoint& point : subject.document.points) {
      text += fmt::format("{}batch {} {}", between, point.batch.count(),
                          to_text(Seconds{point.step.median}));
      between = ", ";
    }
    if (subject.document.max_batch) {
      text += fmt::format("; memory ends at batch {}", subject.document.max_batch->count());
    }
    text += '.';
    for (const InterferenceRow& row : subject.document.interference) {
      text += fmt::format(" Beside {:.4g} {}, {:.2f} times as long.", row.intensity, row.load,
                          row.slowdown);
    }
  }
  return text;
}

Figure figure_of(const DrawnProfiles& subjects) {
  return {
      .title = title_of(subjects),
      .about = subjects.size() == 1 ? about_one(subjects.front().document) : about_all(subjects),
      .description = description_of(subjects),
      .panels = curve_panels(subjects),
      .note = note_of(subjects)};
}

}  // namespace

Figure profile_figure(const std::vector<NamedProfile>& profiles) {
  check(!profiles.empty(), "a figure is of at least one profile");
  const DrawnProfiles subjects = subjects_of(profiles);
  Figure figure = figure_of(subjects);
  if (subjects.size() > 1) return figure;
  const DrawnProfile& only = subjects.front();
  if (auto phases = phases_panel(only)) {
    figure.panels.push_back(std::move(*phases));
    figure.note += " Percentages: at the largest batch.";
  }
  if (auto others = interference_panel(only)) figure.panels.push_back(std::move(*others));
  return figure;
}

Figure comparison_figure(const NamedProfile& first, const NamedProfile& second,
                         const std::vector<ProfileDifference>& differences) {
  const std::vector<NamedProfile> both{first, second};
  const DrawnProfiles subjects = subjects_of(both);
  Figure figure = figure_of(subjects);
  figure.panels.push_back(ratio_panel(subjects, differences));
  figure.note += fmt::format(" Ratio: {} over {}.", subjects[1].name, subjects[0].name);
  const bool any_told =
      std::ranges::any_of(differences, [](const ProfileDifference& row) { return !row.common(); });
  if (any_told) figure.note += " Grey: told from neighbours, not measured.";
  return figure;
}

}  // namespace dbsim
