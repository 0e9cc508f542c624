#include "sim/program/execute.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>

#include "sim/base/check.hpp"
#include "sim/base/error.hpp"

namespace dbsim {

Exit fail(Exit exit, std::string_view text) {
  fmt::print(stderr, "{}\n", text);
  return exit;
}

Exit execute(std::string_view called, const Command& command,
             const std::vector<std::string>& words) {
  try {
    const Arguments arguments = parse(command.options, words);
    if (arguments.has("help")) {
      fmt::print("{}", help_text(called, command));
      return Exit::success;
    }
    return command.execute(arguments);
  } catch (const UsageError& error) {
    return fail(Exit::unusable_input,
                fmt::format("{0}: {1}\nTry '{0} --help'.", called, error.what()));
  } catch (const InputError& error) {
    return fail(Exit::unusable_input, error.what());
  } catch (const BrokenAssumption& error) {
    return fail(Exit::internal_error,
                fmt::format("{}: this is a bug in dbsim: {}", called, error.what()));
  } catch (const std::bad_alloc&) {
    return fail(Exit::no, fmt::format("{}: out of memory", called));
  } catch (const IoError& error) {
    return fail(Exit::no, fmt::format("{}: {}", called, error.what()));
  } catch (const std::exception& error) {
    return fail(Exit::internal_error, fmt::format("{}: {}", called, error.what()));
  }
}

}  // namespace dbsim
