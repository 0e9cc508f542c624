// dbsim check: says what is wrong with scenario and profile files, and runs nothing.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "policies/catalog.hpp"
#include "sim/app/commands.hpp"
#include "sim/app/scenario_file.hpp"
#include "sim/base/error.hpp"
#include "sim/profile/profile_file.hpp"
#include "sim/report/layout.hpp"
#include "sim/scenario/load.hpp"

namespace dbsim {

namespace {

std::string_view name_of(CollectiveAlgorithm algorithm) {
  switch (algorithm) {
    case CollectiveAlgorithm::ring:
      return "ring all-reduce";
    case CollectiveAlgorithm::double_binary_tree:
      return "double binary tree";
    case CollectiveAlgorithm::halving_doubling:
      return "halving and doubling";
    case CollectiveAlgorithm::hierarchical:
      return "hierarchical rings";
    case CollectiveAlgorithm::parameter_server:
      return "parameter server";
  }
  return {};
}

std::string describe_network(const Scenario& scenario) {
  if (const auto* fixed = std::get_if<FixedNetwork>(&scenario.network)) {
    return fmt::format("{} per synchronisation", to_text(fixed->per_step));
  }
  const auto& played = std::get<PlayedNetwork>(scenario.network);
  std::string text =
      fmt::format("{}, {}", to_text(played.topology), name_of(scenario.collective.algorithm));
  if (played.measured) text += fmt::format(", measured with {} ranks", played.measured->ranks);
  if (played.messages.random()) text += ", random delays";
  if (!played.links.empty()) text += ", links that change";
  if (!played.traffic.empty()) text += ", others' flows";
  return text;
}

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

void print_scenario(const Scenario& scenario) {
  fmt::print("{}: {}\n", scenario.file, scenario.name);
  fmt::print("  {}, {}, {}, seed {}\n", counted(scenario.workers.size(), "worker"),
             scenario.policies.size() == 1 ? "1 policy"
                                           : fmt::format("{} policies", scenario.policies.size()),
             counted(scenario.repeats, "repeat"), scenario.seed);
  fmt::print("  {}: {} samples, {} epochs, global batch {}\n", scenario.job.model,
             scenario.job.samples.count(), scenario.job.epochs, scenario.job.global_batch.count());
  fmt::print("{}", wrapped_after("  network: ", describe_network(scenario), {}));
}

void print_profile(const std::string& file, const Profile& profile) {
  fmt::print("{}: {} on {}\n", file, profile.model, profile.device);
  if (const auto range = profile.step_time.measured()) {
    fmt::print("  local batches {} to {}: {} to {} a step\n", range->smallest.count(),
               range->largest.count(), to_text(profile.step_time.at(range->smallest)),
               to_text(profile.step_time.at(range->largest)));
  }
}

void check_file(const std::string& file, const std::vector<std::string>& settings) {
  if (file.ends_with(".json")) {
    print_profile(file, load_profile(file));
    return;
  }
  print_scenario(load_scenario(load_with_settings(file, settings), catalog()));
}

Exit check_files(const Arguments& arguments) {
  if (arguments.words().empty())
    throw UsageError{"found no file; expected at least one scenario or profile"};
  Exit exit = Exit::success;
  for (const std::string& file : arguments.words()) {
    try {
      check_file(file, arguments.texts("set"));
    } catch (const InputError& error) {
      fmt::print(stderr, "{}\n", error.what());
      exit = Exit::unusable_input;
    }
  }
  return exit;
}

}  // namespace

Command check_command() {
  return {.name = "check",
          .summary = "Says all that is wrong with scenarios and profiles; runs nothing.",
          .usage = "FILE... [options]",
          .example = "dbsim check scenarios/four-cards.toml",
          .options = {set_option, {"help", "", "this text"}},
          .execute = check_files};
}

}  // namespace dbsim
