#pragma once
// One command from its words to an exit code: every failure becomes one message.
#include <string>
#include <string_view>
#include <vector>

#include "sim/program/command.hpp"

namespace dbsim {

/// `called` is what a user types to get it: "dbsim run". Shows the help when asked to. Throws
/// nothing that derives from std::exception; messages go to standard error.
[[nodiscard]] Exit execute(std::string_view called, const Command& command,
                           const std::vector<std::string>& words);

/// Says it on standard error, and returns the exit.
Exit fail(Exit exit, std::string_view text);

}  // namespace dbsim
