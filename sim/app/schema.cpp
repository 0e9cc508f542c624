// dbsim schema: the formats, from the same description that reads them.
#include "sim/io/schema.hpp"

#include <fmt/format.h>

#include "policies/catalog.hpp"
#include "sim/app/commands.hpp"
#include "sim/profile/profile_document.hpp"
#include "sim/scenario/describe.hpp"

namespace dbsim {

namespace {

Exit print_schema(const Arguments& arguments) {
  if (!arguments.words().empty())
    throw UsageError{fmt::format("found '{}'; expected options only", arguments.words().front())};
  const bool profile = arguments.has("profile");
  const Description description = [profile](Fields& fields) {
    if (profile) {
      ProfileDocument document;
      describe_profile_document(fields, document);
    } else {
      ScenarioDraft draft;
      describe_scenario(fields, catalog(), draft);
    }
  };
  const auto* title = profile ? "Profile of a device (dbsim.profile/1)" : "Scenario (dbsim = 1)";
  const auto* id = profile ? "dbsim.profile/1" : "dbsim.scenario/1";
  fmt::print("{}", arguments.has("markdown") ? markdown_reference(title, description)
                                             : json_schema(id, title, description));
  return Exit::success;
}

}  // namespace

Command schema_command() {
  return {.name = "schema",
          .summary = "Prints the JSON Schema of scenario files, or a reference.",
          .usage = "[options]",
          .example = "dbsim schema > scenario.schema.json",
          .options = {{"profile", "", "of profile files instead"},
                      {"markdown", "", "as a reference to read instead"},
                      {"help", "", "this text"}},
          .execute = print_schema};
}

}  // namespace dbsim
