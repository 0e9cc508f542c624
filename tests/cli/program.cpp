#include "tests/cli/program.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace dbsim::test {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  std::ifstream stream{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{stream}, {}};
}

Workplace::Workplace() {
  std::string name = (fs::temp_directory_path() / "dbsim-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw fs::filesystem_error{"no temporary folder", {}};
  folder_ = name;
  fs::create_directory(folder_ / "work");
}

Workplace::~Workplace() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Workplace::write(const std::string& name, const std::string& text) const {
  const fs::path file = folder_ / "work" / name;
  fs::create_directories(file.parent_path());
  std::ofstream{file, std::ios::binary} << text;
}

Outcome Workplace::run(const std::string& command) const {
  const std::string line = "export DBSIM=\"" DBSIM_PROGRAM "\"; cd " + (folder_ / "work").string() +
                           " && dbsim() { \"" DBSIM_PROGRAM "\" \"$@\"; }; (" + command +
                           ") > ../out 2> ../err < /dev/null";
  const int status =
      std::system(line.c_str());  // NOLINT(concurrency-mt-unsafe): tests have one thread
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          content(folder_ / "out"), content(folder_ / "err")};
}

std::vector<std::string> Workplace::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "work")) {
    names.push_back(fs::relative(entry.path(), folder_ / "work").string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace dbsim::test
