#pragma once
// The commands of program dbsim.
#include "sim/program/command.hpp"

namespace dbsim {

[[nodiscard]] Command run_command();
[[nodiscard]] Command check_command();
[[nodiscard]] Command schema_command();
[[nodiscard]] Command examples_command();
[[nodiscard]] Command import_command();
[[nodiscard]] Command profile_command();
[[nodiscard]] Command flows_command();

}  // namespace dbsim
