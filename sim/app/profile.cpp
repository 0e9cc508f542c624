// dbsim profile: shows, merges and compares profile files.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/app/commands.hpp"
#include "sim/base/error.hpp"
#include "sim/figure/svg.hpp"
#include "sim/io/files.hpp"
#include "sim/io/nearest.hpp"
#include "sim/profile/compare.hpp"
#include "sim/profile/merge.hpp"
#include "sim/profile/profile_document.hpp"
#include "sim/program/terminal.hpp"
#include "sim/report/profile_figure.hpp"
#include "sim/report/profile_text.hpp"

namespace dbsim {

namespace {

using Files = std::vector<std::string>;

Exit show(const Arguments& arguments, const Files& files) {
  arguments.refuse("out", "show");
  arguments.refuse("within", "show");
  if (files.empty()) throw UsageError{"found no file; expected the profiles to show"};
  Exit exit = Exit::success;
  std::string_view gap;
  std::vector<NamedProfile> shown;
  for (const std::string& file : files) {
    try {
      const ProfileDocument document = load_profile_document(file);
      fmt::print("{}{}\n\n{}", gap, file, profile_text(document, style_of_standard_output()));
      gap = "\n";
      shown.push_back({file, document});
    } catch (const InputError& error) {
      fmt::print(stderr, "{}\n", error.what());
      exit = Exit::unusable_input;
    }
  }
  if (const auto picture = arguments.text("svg"); picture && !shown.empty()) {
    write_text_file(*picture, svg(profile_figure(shown)));
    fmt::print("\nPicture: {}\n", *picture);
  }
  return exit;
}

Exit merge(const Arguments& arguments, const Files& files) {
  arguments.refuse("within", "merge");
  arguments.refuse("svg", "merge");
  if (files.size() < 2) throw UsageError{"expected two profiles to merge, or more"};
  NamedProfile all{files.front(), load_profile_document(files.front())};
  for (std::size_t i = 1; i < files.size(); ++i) {
    all.document = merged(all, {files[i], load_profile_document(files[i])});
  }
  const std::string text = to_json(all.document);
  if (const auto out = arguments.text("out")) {
    write_text_file(*out, text);
    fmt::print("Merged {} profiles into {}\n", files.size(), *out);
  } else {
    fmt::print("{}", text);
  }
  return Exit::success;
}

Exit compare(const Arguments& arguments, const Files& files) {
  arguments.refuse("out", "compare");
  if (files.size() != 2) throw UsageError{"expected two profiles to compare"};
  const std::optional<double> within = arguments.percent("within");
  const ProfileDocument first = load_profile_document(files[0]);
  const ProfileDocument second = load_profile_document(files[1]);
  const std::vector<ProfileDifference> rows = differences(first, second);
  const std::optional<double> largest = largest_difference(rows);
  if (rows.empty() || (within && !largest)) {
    throw InputError{{{{files[1], 0, 0},
                       "points",
                       rows.empty() ? "no batch size within the range of both"
                                    : "no batch size that both measured",
                       fmt::format("batch sizes to compare with those of {}", files[0]),
                       {}}}};
  }
  const TableStyle style = style_of_standard_output();
  const auto subject = [](const ProfileDocument& document) {
    return fmt::format("{} on {}", document.model.name, document.device.name);
  };
  fmt::print("{}{}\n", wrapped_after("first   ", files[0] + ": " + subject(first), style),
             wrapped_after("second  ", files[1] + ": " + subject(second), style));
  fmt::print("{}", comparison_text(rows, style));
  if (const auto picture = arguments.text("svg")) {
    write_text_file(*picture, svg(comparison_figure({files[0], first}, {files[1], second}, rows)));
    fmt::print("\nPicture: {}\n", *picture);
  }
  if (!largest) return Exit::success;
  fmt::print("\nLargest difference at a batch size that both measured: {}\n", percent(*largest));
  if (!within) return Exit::success;
  const bool close = *largest * 100.0 <= *within;
  fmt::print("{} within {} %\n", close ? "That is" : "That is not", *within);
  return close ? Exit::success : Exit::no;
}

struct Action {
  std::string_view name;
  Exit (*execute)(const Arguments&, const Files&);
};

Exit profile(const Arguments& arguments) {
  constexpr std::array<Action, 3> actions{{{"show", show}, {"merge", merge}, {"compare", compare}}};
  const std::vector<std::string>& words = arguments.words();
  if (words.empty()) throw UsageError{"found nothing; expected show, merge or compare"};
  std::vector<std::string_view> names;
  for (const Action& action : actions) {
    if (action.name == words.front()) {
      return action.execute(arguments, {words.begin() + 1, words.end()});
    }
    names.push_back(action.name);
  }
  const std::string close = nearest(words.front(), names);
  throw UsageError{fmt::format("found '{}'; expected show, merge or compare{}", words.front(),
                               close.empty() ? "" : fmt::format("; did you mean '{}'?", close))};
}

}  // namespace

Command profile_command() {
  return {.name = "profile",
          .summary = "Shows, merges or compares profiles.",
          .usage = "show FILE... | merge FILE FILE... | compare FILE FILE",
          .example = "dbsim profile show scenarios/profiles/v100-resnet50.json",
          .options = {{"svg", "FILE", "show, compare: also draw them, all in one picture"},
                      {"out", "FILE", "merge: write here instead of to standard output"},
                      {"within", "PERCENT",
                       "compare: exit 1 if the largest difference at a batch size that both "
                       "measured is above this"},
                      {"help", "", "this text"}},
          .execute = profile};
}

}  // namespace dbsim
