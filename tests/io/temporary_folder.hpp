#pragma once
// A folder of a test's own, gone with everything in it when the test ends.
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "sim/base/check.hpp"

namespace dbsim {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    path_ = (std::filesystem::temp_directory_path() / "dbsim-test-XXXXXX").string();
    check(::mkdtemp(path_.data()) != nullptr, "a temporary folder can be made");
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  /// How many files and folders it holds, hidden ones included.
  [[nodiscard]] std::size_t count() const {
    std::size_t count = 0;
    for (const auto& file : std::filesystem::directory_iterator{path_}) {
      (void)file;
      ++count;
    }
    return count;
  }

 private:
  std::string path_;
};

}  // namespace dbsim
