// Program dbsim: chooses the command, and turns every failure into one message and an exit code.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "sim/app/commands.hpp"
#include "sim/base/check.hpp"
#include "sim/base/error.hpp"
#include "sim/engine/training.hpp"
#include "sim/io/nearest.hpp"

namespace {

using namespace dbsim;

std::vector<Command> all_commands() {
  return {run_command(),      check_command(),  schema_command(),
          examples_command(), import_command(), profile_command()};
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

int fail(Exit exit, std::string_view text) {
  fmt::print(stderr, "{}\n", text);
  return static_cast<int>(exit);
}

int execute(const Command& command, const std::vector<std::string>& words) {
  try {
    const Arguments arguments = parse(command.options, words);
    if (arguments.has("help")) {
      fmt::print("{}", help_text(command));
      return 0;
    }
    return static_cast<int>(command.execute(arguments));
  } catch (const UsageError& error) {
    return fail(Exit::unusable_input,
                fmt::format("dbsim {0}: {1}\nTry 'dbsim {0} --help'.", command.name, error.what()));
  } catch (const InputError& error) {
    return fail(Exit::unusable_input, error.what());
  } catch (const RunTooLong& error) {
    return fail(Exit::unusable_input, fmt::format("dbsim {}: {}; check the scenario's numbers",
                                                  command.name, error.what()));
  } catch (const BrokenAssumption& error) {
    return fail(Exit::internal_error,
                fmt::format("dbsim {}: this is a bug in dbsim: {}", command.name, error.what()));
  } catch (const std::bad_alloc&) {
    return fail(Exit::no, fmt::format("dbsim {}: out of memory", command.name));
  } catch (const IoError& error) {
    return fail(Exit::no, fmt::format("dbsim {}: {}", command.name, error.what()));
  } catch (const std::exception& error) {
    return fail(Exit::internal_error, fmt::format("dbsim {}: {}", command.name, error.what()));
  }
}

int dispatch(const std::vector<std::string>& words) {
  const std::vector<Command> commands = all_commands();
  if (words.empty() || words.front() == "--help" || words.front() == "help" ||
      words.front() == "-h") {
    fmt::print("{}", overview(commands));
    return words.empty() ? static_cast<int>(Exit::unusable_input) : 0;
  }
  if (words.front() == "--version") {
    fmt::print("dbsim {}\n", DBSIM_VERSION);
    return 0;
  }
  const auto command = std::ranges::find(commands, std::string_view{words.front()}, &Command::name);
  if (command != commands.end()) return execute(*command, {words.begin() + 1, words.end()});
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
    const int exit = dispatch({words + 1, words + count});
    if (std::fflush(stdout) != 0)
      return fail(Exit::no, "dbsim: standard output could not be written");
    return exit;
  } catch (const std::exception& error) {
    return fail(Exit::internal_error, error.what());
  }
}
