// Networks with flows on the command line.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/program.hpp"

using dbsim::test::Outcome;
using dbsim::test::Workplace;

namespace {

/// One link of 1 GB/s, `count` flows of 1 GB at once: all of them need `count` seconds.
std::string flows(int count, const std::string& rest) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    list += (i == 0 ? "" : ",\n") + std::string{"{\"name\": \"f"} + std::to_string(i) +
            R"(", "from": "a", "to": "b", "start_s": 0, "bytes": 1e9)" + rest + "}";
  }
  return R"({"schema": "dbsim.network-cases/1", "cases": [{"name": "shared", "hosts": ["a", "b"],
"links": [{"name": "l", "from": "a", "to": "b", "bandwidth_Bps": 1e9}], "flows": [)" +
         list + "]}]}";
}

}  // namespace

TEST_CASE("the shipped network is solved as its description says", "[cli]") {
  const Workplace place;
  const Outcome outcome =
      place.run("dbsim flows " DBSIM_SOURCE_DIR "/scenarios/networks/two-pairs.json");
  CHECK(outcome.exit == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.find("reply  0.400060000  0.400060000           0\n") != std::string::npos);
  CHECK(outcome.out.ends_with("\nLargest difference 0; 1 of 1 case within 1e-06\n"));
}

TEST_CASE("an answer that is missed is exit code 1, unless the bar is lower", "[cli]") {
  const Workplace place;
  place.write("good.json", flows(2, R"(, "finish_s": 2)"));
  place.write("off.json", flows(2, R"(, "finish_s": 2.5)"));
  CHECK(place.run("dbsim flows good.json").exit == 0);
  const Outcome off = place.run("dbsim flows good.json off.json");
  CHECK(off.exit == 1);
  CHECK(off.out.find("good.json\n") != std::string::npos);
  CHECK(off.out.ends_with("Largest difference 2.0e-01; 1 of 2 cases within 1e-06\n"));
  CHECK(place.run("dbsim flows off.json --within 0.21").exit == 0);
  CHECK(place.run("dbsim flows off.json --within 0.19").exit == 1);
}

TEST_CASE("a flow that never finishes is said so, exit code 1", "[cli]") {
  const Workplace place;
  std::string text = flows(1, "");
  text.replace(text.find("\"bandwidth_Bps\": 1e9"), 20, "\"bandwidth_Bps\": 0.0");
  place.write("down.json", text);
  const Outcome outcome = place.run("dbsim flows down.json");
  CHECK(outcome.exit == 1);
  CHECK(outcome.out.find("  1 flow never finishes: f0\n") != std::string::npos);
}

TEST_CASE("of many flows there are rows on demand only", "[cli]") {
  const Workplace place;
  place.write("many.json", flows(21, ""));
  const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  const std::string some = place.run("dbsim flows many.json").out;
  const std::string all = place.run("dbsim flows many.json --all").out;
  CHECK(lines(all) == lines(some) + 1 + 3 + 21);  // a gap, a heading, the rows
  CHECK(all.find("f20   21.000000000\n") != std::string::npos);
}

TEST_CASE("flows --json prints the results and nothing else", "[cli]") {
  const Workplace place;
  place.write("off.json", flows(30, R"(, "finish_s": 60)"));
  const Outcome outcome = place.run("dbsim flows off.json --json");
  CHECK(outcome.exit == 1);
  CHECK(outcome.err.empty());
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["schema"] == "dbsim.flow-results/1");
  CHECK(json["difference"] == 0.5);
  CHECK(json["files"][0]["cases"][0]["flows"].size() == 30);
  CHECK(json["files"][0]["cases"][0]["flows"][29]["finish_s"] == 30.0);
}

TEST_CASE("one unusable file among several is exit code 2, and nothing is solved", "[cli]") {
  const Workplace place;
  place.write("good.json", flows(1, ""));
  place.write("bad.json", "{}");
  const Outcome outcome = place.run("dbsim flows good.json bad.json");
  CHECK(outcome.exit == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("bad.json:1:1: cases: found nothing") != std::string::npos);
}

TEST_CASE("the schema of networks with flows is published", "[cli]") {
  const Workplace place;
  const auto schema = nlohmann::json::parse(place.run("dbsim schema --network-cases").out);
  CHECK(schema["properties"].contains("cases"));
  CHECK(
      schema["properties"]["cases"]["items"]["properties"]["flows"]["items"]["properties"].contains(
          "max_rate_Bps"));
}
