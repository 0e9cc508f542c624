// What each command prints and returns when all is well.
#include <nlohmann/json.hpp>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/program.hpp"

using dbsim::test::Outcome;
using dbsim::test::Workplace;

namespace {

constexpr const char* small = R"(dbsim = 1
name = "Small"
seed = 3
repeats = 4
policies = ["fixed", "dbs"]
[job]
model = "m"
samples = 2000
epochs = 4
global_batch = 64
[[worker]]
name = "fast"
count = 3
profile = { overhead = "5 ms", per_sample = "1 ms", spread = 0.05 }
[[worker]]
name = "slow"
profile = { overhead = "5 ms", per_sample = "4 ms", spread = 0.05 }
[network]
star = { bandwidth = "10 Gbit/s", latency = "25 us" }
[[interference]]
worker = "fast/2"
factor = 0.5
from = "epoch 2"
)";

std::string small_with(const std::string& job) {
  std::string text = small;
  text.insert(text.find("global_batch"), job + "\n");
  return text;
}

}  // namespace

TEST_CASE("run --json prints results.json and nothing else", "[cli]") {
  const Workplace place;
  place.write("small.toml", small_with("gradient = \"44.7 MB\""));
  const Outcome outcome = place.run("dbsim run small.toml --json");
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.err.empty());
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["schema"] == "dbsim.results/1");
  CHECK(json["repeats"] == 4);
  CHECK(json["policies"].size() == 2);
  CHECK(json["policies"][0]["saving"]["mean"] == 0.0);
  CHECK(json["policies"][1]["total_time_s"]["values"].size() == 4);
  CHECK(json["policies"][1]["epochs"].size() == 4);
  CHECK(json["policies"][1]["epochs"][0]["workers"][3]["worker"] == "slow");
}

TEST_CASE("the same seed gives the same bytes on any number of threads; another seed does not",
          "[cli]") {
  const Workplace place;
  place.write("small.toml", small_with("gradient = \"44.7 MB\""));
  const std::string one = place.run("dbsim run small.toml --json --threads 1").out;
  for (const char* threads : {"2", "3", "8"}) {
    CHECK(place.run(std::string{"dbsim run small.toml --json --threads "} + threads).out == one);
  }
  CHECK(place.run("dbsim run small.toml --json --seed 4").out != one);
  CHECK(place.run("dbsim run small.toml --json --seed 3").out == one);
}

TEST_CASE("run --out writes results.json, the same as --json prints, and epochs.csv", "[cli]") {
  const Workplace place;
  place.write("small.toml", small_with("gradient = \"44.7 MB\""));
  REQUIRE(place.run("dbsim run small.toml --out results").exit == 0);
  CHECK(place.files() == std::vector<std::string>{"results", "results/epochs.csv",
                                                  "results/results.json", "small.toml"});
  const std::string json = place.run("dbsim run small.toml --json").out;
  CHECK(place.run("cat results/results.json").out == json);
  CHECK(place.run("head -1 results/epochs.csv").out ==
        "policy,epoch,worker,batch,samples,own_s,communication_s,wait_s,epoch_s\n");
  CHECK(place.run("wc -l < results/epochs.csv").out.find("33") !=
        std::string::npos);  // 2 * 4 * 4 rows and a heading
}

TEST_CASE("the table fits 80 columns, has no escapes in a pipe, and names every policy", "[cli]") {
  const Workplace place;
  place.write("small.toml", small_with("gradient = \"44.7 MB\""));
  const Outcome outcome =
      place.run("dbsim run small.toml --policies fixed,dbs,proportional,oracle");
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.out.find('\x1b') == std::string::npos);
  for (const char* word : {"fixed", "dbs", "proportional", "oracle", "Small"}) {
    CHECK(outcome.out.find(word) != std::string::npos);
  }
  std::size_t begin = 0;
  while (begin < outcome.out.size()) {
    const std::size_t end = outcome.out.find('\n', begin);
    CHECK(end - begin <= 80);
    begin = end + 1;
  }
}

TEST_CASE("a setting changes any key, is checked like the file, and says where it came from",
          "[cli]") {
  const Workplace place;
  place.write("small.toml", small_with("gradient = \"44.7 MB\""));
  const auto json = nlohmann::json::parse(place
                                              .run("dbsim run small.toml --json --set job.epochs=2 "
                                                   "--set worker.slow.count=2 --set repeats=1")
                                              .out);
  CHECK(json["policies"][0]["epochs"].size() == 2);
  CHECK(json["workers"].size() == 5);
  const Outcome bad = place.run("dbsim run small.toml --set job.epochs=0");
  CHECK(bad.exit == 2);
  CHECK(bad.err.find("--set job.epochs") != std::string::npos);
}

TEST_CASE("check says what a scenario holds and runs nothing", "[cli]") {
  const Workplace place;
  place.write("small.toml", small_with("gradient = \"44.7 MB\""));
  const Outcome outcome = place.run("dbsim check small.toml");
  CHECK(outcome.exit == 0);
  CHECK(outcome.out ==
        "small.toml: Small\n"
        "  4 workers, 2 policies, 4 repeats, seed 3\n"
        "  m: 2000 samples, 4 epochs, global batch 64\n"
        "  network: star of 10 Gbit/s, 25 us from host to host, ring all-reduce\n");
}

TEST_CASE("the published schema is a JSON Schema that knows every table", "[cli]") {
  const Workplace place;
  const auto schema = nlohmann::json::parse(place.run("dbsim schema").out);
  for (const char* key :
       {"dbsim", "name", "policies", "job", "worker", "network", "interference"}) {
    CHECK(schema["properties"].contains(key));
  }
  CHECK(schema["additionalProperties"] == false);
  CHECK(nlohmann::json::parse(place.run("dbsim schema --profile").out)["properties"].contains(
      "points"));
}

TEST_CASE("examples are listed, shown and copied, and the copies run", "[cli]") {
  const Workplace place;
  const Outcome list = place.run("dbsim examples");
  CHECK(list.exit == 0);
  CHECK(list.out.find("four-cards.toml") != std::string::npos);
  CHECK(place.run("dbsim examples four-cards").out.find("dbsim = 1") != std::string::npos);
  CHECK(place.run("dbsim examples --copy mine").exit == 0);
  CHECK(place.run("dbsim run mine/mixed-nodes.toml --quiet --set job.epochs=1").exit == 0);
  CHECK(place.run("dbsim examples --copy mine").exit == 2);  // nothing is overwritten
}

TEST_CASE("help is there for every command, and mistakes point to it", "[cli]") {
  const Workplace place;
  CHECK(place.run("dbsim --help").exit == 0);
  CHECK(place.run("dbsim --version").out.starts_with("dbsim "));
  for (const char* command : {"run", "check", "schema", "examples", "import", "profile", "flows"}) {
    const Outcome help = place.run(std::string{"dbsim "} + command + " --help");
    CHECK(help.exit == 0);
    CHECK(help.out.starts_with(std::string{"Usage: dbsim "} + command));
  }
  CHECK(place
            .run("for c in '' run check schema examples import profile flows; do dbsim $c --help; "
                 "done | awk 'length > 80'")
            .out.empty());
  const Outcome unknown = place.run("dbsim rnu");
  CHECK(unknown.exit == 2);
  CHECK(unknown.err == "dbsim: unknown command 'rnu'; did you mean 'run'?\nTry 'dbsim --help'.\n");
}

TEST_CASE("a folder that cannot be written is said so, exit code 1", "[cli]") {
  const Workplace place;
  place.write("small.toml", small_with("gradient = \"44.7 MB\""));
  place.write("results", "a file where a folder is wanted");
  const Outcome outcome = place.run("dbsim run small.toml --out results");
  CHECK(outcome.exit == 1);
  CHECK(place.files() == std::vector<std::string>{"results", "small.toml"});
}

TEST_CASE("docs/scenario-reference.md is what the reader says of itself", "[cli]") {
  const Workplace place;
  CHECK(
      place.run("dbsim schema --markdown | diff - " DBSIM_SOURCE_DIR "/docs/scenario-reference.md")
          .out.empty());
}

TEST_CASE("docs/graph-reference.md is what the reader of graphs says of itself", "[cli]") {
  const Workplace place;
  CHECK(place
            .run("dbsim schema --graph --markdown | diff - " DBSIM_SOURCE_DIR
                 "/docs/graph-reference.md")
            .out.empty());
  CHECK(
      nlohmann::json::parse(place.run("dbsim schema --graph").out)["properties"].contains("link"));
  CHECK(place.run("dbsim schema --graph --profile").exit == 2);
}
