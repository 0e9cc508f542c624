// Program dbsim: chooses the command.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "sim/app/commands.hpp"
#include "sim/io/nearest.hpp"
#include "sim/program/execute.hpp"

namespace {

using namespace dbsim;

std::vector<Command> all_commands() {
  return {run_command(),    check_command(),   schema_command(), examples_command(),
          import_command(), profile_command(), flows_command()};
}

std::string overview(const std::vector<Command>& commands) {
  std::string text =
      "Predicts what dynamic batch sizes save on a mixed or noisy GPU cluster.\n\n"
      "Usage: dbsim COMMAND [options]\n\nCommands:\n";
  for (const Command& command : commands)
    text += fmt::format("  {:<10}{}\n", command.name, command.summary);
  text +=
      "\n  --version   the version\n  --help      this text; 'dbsim COMMAND --help' for a "
      "command's own\n"
      "\nFirst steps:\n  dbsim examples\n  dbsim run scenarios/four-cards.toml\n";
  return text;
}

Exit dispatch(const std::vector<std::string>& words) {
  const std::vector<Command> commands = all_commands();
  if (words.empty() || words.front() == "--help" || words.front() == "help" ||
      words.front() == "-h") {
    fmt::print("{}", overview(commands));
    return words.empty() ? Exit::unusable_input : Exit::success;
  }
  if (words.front() == "--version") {
    fmt::print("dbsim {}\n", DBSIM_VERSION);
    return Exit::success;
  }
  const auto command = std::ranges::find(commands, std::string_view{words.front()}, &Command::name);
  if (command != commands.end()) {
    return execute(fmt::format("dbsim {}", command->name), *command,
                   {words.begin() + 1, words.end()});
  }
  std::vector<std::string_view> names;
  for (const Command& known : commands) names.push_back(known.name);
  const std::string close = nearest(words.front(), names);
  return fail(Exit::unusable_input,
              fmt::format("dbsim: unknown command '{}'{}\nTry 'dbsim --help'.", words.front(),
                          close.empty() ? "" : fmt::format("; did you mean '{}'?", close)));
}

}  // namespace

int main(int count, char* words[]) {
  try {
    Exit exit = dispatch({words + 1, words + count});
    if (std::fflush(stdout) != 0)
      exit = fail(Exit::no, "dbsim: standard output could not be written");
    return static_cast<int>(exit);
  } catch (const std::exception& error) {
    return static_cast<int>(fail(Exit::internal_error, error.what()));
  }
}
