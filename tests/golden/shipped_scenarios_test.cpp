// Every scenario that ships is a promise: it runs, and its first words say what it shows.
#include <filesystem>

#include "sim/io/files.hpp"
#include "tests/catch.hpp"
#include "tests/support/shipped.hpp"

using namespace dbsim;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> shipped_names() {
  const fs::path folder{DBSIM_SOURCE_DIR "/scenarios"};
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    const bool scenario = !name.starts_with("models/") && !name.starts_with("networks/");
    if (entry.path().extension() == ".toml" && scenario) names.push_back(name);
  }
  return names;
}

}  // namespace

TEST_CASE("every shipped scenario runs, and opens with a sentence and its source", "[golden]") {
  const std::vector<std::string> names = shipped_names();
  CHECK(names.size() >= 15);
  for (const std::string& name : names) {
    CAPTURE(name);
    const std::string text = read_text_file(std::string{DBSIM_SOURCE_DIR "/scenarios/"} + name);
    CHECK(text.starts_with("# "));
    CHECK(text.find('.') != std::string::npos);
    const bool says_source = text.find("ource") != std::string::npos ||
                             text.find("arXiv") != std::string::npos ||
                             text.find("ssumptions as in") != std::string::npos ||
                             text.find("traces") != std::string::npos;
    CHECK(says_source);
    const Results results = test::run_shipped(name, {{"repeats", "1"}, {"job.epochs", "3"}});
    CHECK(results.policies.size() >= 2);
  }
}

TEST_CASE("paper mode never predicts a hang and loses no sample in any shipped scenario",
          "[golden]") {
  for (const std::string& name : shipped_names()) {
    CAPTURE(name);
    const Scenario scenario =
        test::shipped_scenario(name, {{"repeats", "1"}, {"job.epochs", "12"}});
    if (scenario.job.last_batch == LastBatch::drop) continue;
    const Results results = summarise(predict(scenario, catalog(), {}));
    for (const PolicySummary& policy : results.policies) {
      if (policy.label == "as published") continue;
      CHECK(policy.deadlocks.empty());
      CHECK(policy.samples_lost == 0);
    }
  }
}
