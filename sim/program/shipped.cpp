#include "sim/program/shipped.hpp"

#include <fmt/format.h>

#include "sim/base/error.hpp"

namespace dbsim {

namespace fs = std::filesystem;

fs::path shipped_scenarios() {
  const fs::path program = fs::canonical("/proc/self/exe");
  fs::path folder = (program.parent_path() / DBSIM_SCENARIO_DIR).lexically_normal();
  if (!fs::is_directory(folder)) {
    throw IoError{
        fmt::format("{}: the scenarios that come with dbsim are not there", folder.string())};
  }
  return folder;
}

}  // namespace dbsim
