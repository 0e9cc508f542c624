#pragma once
// Where the scenarios and models that come with dbsim are.
#include <filesystem>

namespace dbsim {

/// Beside the program, where it is installed and where it is built alike. IoError if it is not
/// there.
[[nodiscard]] std::filesystem::path shipped_scenarios();

}  // namespace dbsim
