// dbsim schema: the formats, from the same description that reads them.
#include "sim/io/schema.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "policies/catalog.hpp"
#include "sim/app/commands.hpp"
#include "sim/flows/flow_cases.hpp"
#include "sim/profile/profile_document.hpp"
#include "sim/scenario/describe.hpp"
#include "sim/scenario/graph_file.hpp"

namespace dbsim {

namespace {

struct Format {
  std::string_view id;
  std::string_view title;
  Description description;
};

Format scenario_format() {
  return {
      .id = "dbsim.scenario/1", .title = "Scenario (dbsim = 1)", .description = [](Fields& fields) {
        ScenarioDraft draft;
        describe_scenario(fields, catalog(), draft);
      }};
}

Format profile_format() {
  return {.id = "dbsim.profile/1",
          .title = "Profile of a device (dbsim.profile/1)",
          .description = [](Fields& fields) {
            ProfileDocument document;
            describe_profile_document(fields, document);
          }};
}

Format network_cases_format() {
  return {.id = "dbsim.network-cases/1",
          .title = "Networks with flows (dbsim.network-cases/1)",
          .description = describe_flow_cases};
}

Format graph_format() {
  return {.id = "dbsim.graph/1",
          .title = "Graph of a network (graph = 1)",
          .description = [](Fields& fields) {
            GraphDraft draft;
            describe_graph(fields, draft);
          }};
}

struct Choice {
  const char* option;
  Format (*format)();
};
constexpr std::array<Choice, 3> choices{{{"profile", profile_format},
                                         {"network-cases", network_cases_format},
                                         {"graph", graph_format}}};

Format format_of(const Arguments& arguments) {
  const Choice* chosen = nullptr;
  for (const Choice& choice : choices) {
    if (!arguments.has(choice.option)) continue;
    if (chosen != nullptr) {
      throw UsageError{
          fmt::format("found --{} and --{}; expected one of them", chosen->option, choice.option)};
    }
    chosen = &choice;
  }
  return chosen == nullptr ? scenario_format() : chosen->format();
}

Exit print_schema(const Arguments& arguments) {
  if (!arguments.words().empty())
    throw UsageError{fmt::format("found '{}'; expected options only", arguments.words().front())};
  const Format format = format_of(arguments);
  fmt::print("{}", arguments.has("markdown")
                       ? markdown_reference(format.title, format.description)
                       : json_schema(format.id, format.title, format.description));
  return Exit::success;
}

}  // namespace

Command schema_command() {
  return {.name = "schema",
          .summary = "Prints the JSON Schema of scenario files, or a reference.",
          .usage = "[options]",
          .example = "dbsim schema > scenario.schema.json",
          .options = {{"profile", "", "of profile files instead"},
                      {"network-cases", "", "of files of networks with flows instead"},
                      {"graph", "", "of files that draw a network instead"},
                      {"markdown", "", "as a reference to read instead"},
                      {"help", "", "this text"}},
          .execute = print_schema};
}

}  // namespace dbsim
