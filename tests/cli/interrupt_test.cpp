// Ctrl-C ends within a second and keeps what is complete.
#include <nlohmann/json.hpp>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/program.hpp"

using dbsim::test::Outcome;
using dbsim::test::Workplace;

namespace {

// Some milliseconds per repeat, far more repeats than anyone waits for.
constexpr const char* endless = R"(dbsim = 1
name = "Endless"
repeats = 1000000
policies = ["fixed", "dbs"]
[job]
model = "m"
samples = 20000
epochs = 5
global_batch = 64
[[worker]]
name = "w"
count = 4
profile = { overhead = "5 ms", per_sample = "1 ms", spread = 0.05 }
[network]
fixed = "1 ms"
)";

}  // namespace

TEST_CASE("an interrupted run reports the repeats that are complete", "[cli]") {
  const Workplace place;
  place.write("endless.toml", endless);
  // How long a repeat takes depends on what else the machine does.
  Outcome outcome;
  for (const char* seconds : {"0.7", "4", "20"}) {
    outcome = place.run(
        std::string{"\"$DBSIM\" run endless.toml --json --out results & pid=$!; sleep "} + seconds +
        "; kill -INT $pid; begin=$(date +%s%N); wait $pid; code=$?; end=$(date "
        "+%s%N); echo $(( (end - begin) / 1000000 )) >&2; exit $code");
    if (!outcome.out.empty()) break;
  }
  CHECK(outcome.exit == 130);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["repeats"].get<int>() >= 1);
  CHECK(json["repeats"].get<int>() < 1000000);
  CHECK(outcome.err.find("interrupted") != std::string::npos);
}

TEST_CASE("an interrupt before anything is complete leaves nothing behind", "[cli]") {
  const Workplace place;
  std::string text = endless;
  text.replace(text.find("epochs = 5"), 10, "epochs = 900000");
  place.write("endless.toml", text);
  const Outcome outcome = place.run(
      "\"$DBSIM\" run endless.toml --out results & pid=$!; sleep 0.3; kill -INT $pid; wait $pid");
  CHECK(outcome.exit == 130);
  CHECK(outcome.out.empty());
  CHECK(place.files() == std::vector<std::string>{"endless.toml"});
}
