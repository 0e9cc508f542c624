#pragma once
// Runs the real program in a folder of its own, as a user would.
#include <filesystem>
#include <string>
#include <vector>

namespace dbsim::test {

/// The bytes of a file; none if it is not there.
[[nodiscard]] std::string content(const std::filesystem::path& file);

struct Outcome {
  int exit{};
  std::string out;
  std::string err;
};

/// A fresh empty folder that is removed again.
class Workplace {
 public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  void write(const std::string& name, const std::string& text) const;
  /// `command` is what a shell would be given; `dbsim` in it is the program under test, $DBSIM its
  /// path.
  [[nodiscard]] Outcome run(const std::string& command) const;
  /// Names of all files below, sorted.
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace dbsim::test
