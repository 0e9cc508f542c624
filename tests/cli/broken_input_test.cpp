// Every file under broken/ must be refused with exactly the message beside it, exit code 2, nothing
// left behind.
#include <filesystem>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/program.hpp"

namespace fs = std::filesystem;

using dbsim::test::content;

TEST_CASE("broken input gets its literal message and leaves nothing behind", "[cli]") {
  const fs::path folder{DBSIM_SOURCE_DIR "/tests/cli/broken"};
  std::size_t cases = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".expected") continue;
    const std::string name = entry.path().stem().string();
    CAPTURE(name);
    const dbsim::test::Workplace workplace;
    for (const auto& input : fs::directory_iterator(folder)) {
      if (input.path().extension() == ".expected" || input.path().extension() == ".command")
        continue;
      workplace.write(input.path().filename().string(), content(input.path()));
    }
    fs::create_directory(workplace.folder() / "work" / "folder.toml");
    const std::vector<std::string> before = workplace.files();
    const fs::path command_file = folder / (name + ".command");
    const std::string command = fs::exists(command_file)
                                    ? content(command_file)
                                    : "dbsim run " + name + ".toml --out results";
    const dbsim::test::Outcome outcome = workplace.run(command);
    CHECK(outcome.err == content(entry.path()));
    CHECK(outcome.out.empty());
    CHECK(outcome.exit == 2);
    CHECK(workplace.files() == before);
    ++cases;
  }
  CHECK(cases >= 50);
}
