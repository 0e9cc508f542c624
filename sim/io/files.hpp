#pragma once
// Files on disk: read whole, written whole or not at all.
#include <string>
#include <string_view>

namespace dbsim {

/// InputError when the file cannot be read as text: missing, a directory, too large, not UTF-8.
[[nodiscard]] std::string read_text_file(const std::string& path);
/// Writes beside the target, then renames over it. IoError, and nothing left behind, on failure.
/// Missing parent folders are made.
void write_text_file(const std::string& path, std::string_view text);

}  // namespace dbsim
