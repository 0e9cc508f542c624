// dbsim examples: the scenarios that come with dbsim, listed and copied.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/app/commands.hpp"
#include "sim/base/error.hpp"
#include "sim/io/files.hpp"
#include "sim/io/nearest.hpp"
#include "sim/io/opening.hpp"
#include "sim/program/shipped.hpp"
#include "sim/report/layout.hpp"

namespace dbsim {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string name = fs::relative(entry.path(), folder).string();
    const bool scenario = !name.starts_with("models/") && !name.starts_with("networks/");
    if (scenario) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

void list(const fs::path& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    fmt::print(
        "{}\n{}", name,
        wrapped_after("    ", opening_sentence(read_text_file((folder / name).string())), {}));
  }
  fmt::print("\nIn {}\nShow one: dbsim examples NAME. Copy all: dbsim examples --copy DIR.\n",
             folder.string());
}

void copy_all(const fs::path& from, const fs::path& to) {
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    if (!entry.is_regular_file()) continue;
    const fs::path target = to / fs::relative(entry.path(), from);
    if (fs::exists(target)) {
      throw InputError{{{{target.string(), 0, 0},
                         {},
                         "a file that is there already",
                         "none: nothing is overwritten",
                         {}}}};
    }
  }
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    if (!entry.is_regular_file()) continue;
    write_text_file((to / fs::relative(entry.path(), from)).string(),
                    read_text_file(entry.path().string()));
  }
  fmt::print("Copied to {}\n", to.string());
}

Exit examples(const Arguments& arguments) {
  const fs::path folder = shipped_scenarios();
  const std::vector<std::string> names = names_in(folder);
  if (arguments.words().size() > 1) throw UsageError{"found several names; expected one at most"};
  if (const auto target = arguments.text("copy")) {
    if (!arguments.words().empty())
      throw UsageError{
          "found a name beside --copy; scenarios share profiles and are copied together"};
    copy_all(folder, *target);
    return Exit::success;
  }
  if (arguments.words().empty()) {
    list(folder, names);
    return Exit::success;
  }
  std::string name = arguments.words().front();
  if (!name.ends_with(".toml")) name += ".toml";
  if (std::ranges::find(names, name) == names.end()) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::string close = nearest(name, known);
    throw UsageError{fmt::format("found '{}'; expected a name that 'dbsim examples' lists{}", name,
                                 close.empty() ? "" : fmt::format("; did you mean '{}'?", close))};
  }
  fmt::print("{}", read_text_file((folder / name).string()));
  return Exit::success;
}

}  // namespace

Command examples_command() {
  return {.name = "examples",
          .summary = "Lists, shows or copies the scenarios that come with dbsim.",
          .usage = "[NAME] [options]",
          .example = "dbsim examples --copy my-scenarios",
          .options = {{"copy", "DIR", "copy all of them into this folder; nothing is overwritten"},
                      {"help", "", "this text"}},
          .execute = examples};
}

}  // namespace dbsim
