// dbsim schema: the formats, from the same description that reads them.
#include "sim/io/schema.hpp"

#include <fmt/format.h>

#include "policies/catalog.hpp"
#include "sim/app/commands.hpp"
#include "sim/profile/profile_document.hpp"
#include "sim/scenario/describe.hpp"
#include "sim/scenario/graph_file.hpp"

namespace dbsim {

namespace {

struct Format {
  const char* id;
  const char* title;
  Description description;
};

Format scenario_format() {
  return {"dbsim.scenario/1", "Scenario (dbsim = 1)", [](Fields& fields) {
            ScenarioDraft draft;
            describe_scenario(fields, catalog(), draft);
          }};
}

Format profile_format() {
  return {"dbsim.profile/1", "Profile of a device (dbsim.profile/1)", [](Fields& fields) {
            ProfileDocument document;
            describe_profile_document(fields, document);
          }};
}

Format graph_format() {
  return {"dbsim.graph/1", "Graph of a network (graph = 1)", [](Fields& fields) {
            GraphDraft draft;
            describe_graph(fields, draft);
          }};
}

Exit print_schema(const Arguments& arguments) {
  if (!arguments.words().empty())
    throw UsageError{fmt::format("found '{}'; expected options only", arguments.words().front())};
  if (arguments.has("profile") && arguments.has("graph"))
    throw UsageError{"found --profile and --graph together; expected one of them"};
  const Format format = arguments.has("profile") ? profile_format()
                        : arguments.has("graph") ? graph_format()
                                                 : scenario_format();
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
                      {"graph", "", "of files that draw a network instead"},
                      {"markdown", "", "as a reference to read instead"},
                      {"help", "", "this text"}},
          .execute = print_schema};
}

}  // namespace dbsim
