#pragma once
// A scenario file as the command line changes it.
#include <string>
#include <vector>

#include "sim/io/document.hpp"
#include "sim/program/command.hpp"

namespace dbsim {

inline constexpr Option set_option{"set", "KEY=VALUE",
                                   "another value for a key, such as job.epochs=20 or "
                                   "worker.slow.count=2; may be given many times",
                                   Option::Times::many};

/// Loads the file and applies every --set. UsageError for a setting that is not KEY=VALUE.
[[nodiscard]] Document load_with_settings(const std::string& file,
                                          const std::vector<std::string>& settings);

}  // namespace dbsim
