// Profiles on the command line: imported, shown, merged, compared.
#include <nlohmann/json.hpp>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/program.hpp"

using dbsim::test::content;
using dbsim::test::Outcome;
using dbsim::test::Workplace;

namespace {

constexpr const char* steps = "batch,ms\n8,10\n16,18\n8,12\n8,11\n32,34\n";

std::string profile(const std::string& device, const std::string& points) {
  return "{\"schema\": \"dbsim.profile/1\", \"device\": {\"name\": \"" + device +
         "\"}, \"model\": {\"name\": \"m\"}, \"points\": [" + points + "]}";
}

std::string point(int batch, double median) {
  return "{\"batch\": " + std::to_string(batch) +
         ", \"step_s\": {\"median\": " + std::to_string(median) + "}}";
}

}  // namespace

TEST_CASE("a table becomes a profile that a scenario can name", "[cli]") {
  const Workplace place;
  place.write("steps.csv", steps);
  const Outcome outcome = place.run(
      "dbsim import profile steps.csv --model m --device T4 --parameters '44.7 MB' --max-batch 64 "
      "--source 'my notes' --out t4.json");
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.find("Written to t4.json") != std::string::npos);
  const auto json = nlohmann::json::parse(content(place.folder() / "work" / "t4.json"));
  CHECK(json["device"]["name"] == "T4");
  CHECK(json["model"]["parameter_bytes"] == 44.7e6);
  CHECK(json["max_batch"] == 64);
  CHECK(json["source"] == "my notes");
  CHECK(json["points"].size() == 3);
  CHECK(json["points"][0]["step_s"]["median"] == 0.011);
  CHECK(json["points"][0]["step_s"]["repetitions"] == 3);
  place.write("s.toml",
              "dbsim = 1\nname = \"n\"\npolicies = [\"fixed\", \"dbs\"]\n[job]\nmodel = \"m\"\n"
              "samples = 1000\nepochs = 2\nglobal_batch = 32\n[[worker]]\nname = \"w\"\ncount = 2\n"
              "profile = \"t4.json\"\n[network]\nfixed = \"1 ms\"\n");
  CHECK(place.run("dbsim run s.toml --quiet").exit == 0);
}

TEST_CASE("without --out the profile itself is printed", "[cli]") {
  const Workplace place;
  place.write("steps.csv", steps);
  const Outcome outcome = place.run("dbsim import profile steps.csv --model m --device T4");
  CHECK(outcome.exit == 0);
  CHECK(nlohmann::json::parse(outcome.out)["schema"] == "dbsim.profile/1");
}

TEST_CASE("traces are imported beside tables, and name their device", "[cli]") {
  const Workplace place;
  place.write("steps.csv", steps);
  place.write("t=1.json", R"({"deviceProperties": [{"name": "A100", "totalGlobalMem": 42e9}],
"traceEvents": [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "ts": 5, "dur": 60000}]})");
  const Outcome outcome = place.run("dbsim import profile steps.csv --trace t=1.json=64 --model m");
  REQUIRE(outcome.exit == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["device"]["name"] == "A100");
  CHECK(json["device"]["memory_bytes"] == 42e9);
  CHECK(json["points"][3]["batch"] == 64);
  CHECK(json["points"][3]["step_s"]["median"].get<double>() == Approx(0.06));
}

TEST_CASE("shown profiles are drawn in one picture, and the one in the manual is up to date",
          "[cli]") {
  const Workplace place;
  const std::string folder = DBSIM_SOURCE_DIR "/scenarios/profiles/";
  const Outcome outcome = place.run("dbsim profile show " + folder + "t4-resnet18.json " + folder +
                                    "a100-resnet18.json --svg new/both.svg");
  CHECK(outcome.exit == 0);
  CHECK_THAT(outcome.out, Catch::EndsWith("\nPicture: new/both.svg\n"));
  const std::string picture = content(place.folder() / "work" / "new" / "both.svg");
  REQUIRE(!picture.empty());
  CHECK(picture == content(DBSIM_SOURCE_DIR "/docs/profiles.svg"));
}

TEST_CASE("two compared profiles are drawn beside their ratio", "[cli]") {
  const Workplace place;
  place.write("a.json", profile("T4", point(8, 0.1) + "," + point(16, 0.2)));
  place.write("b.json", profile("T4", point(8, 0.2) + "," + point(16, 0.3)));
  const Outcome outcome = place.run("dbsim profile compare a.json b.json --svg p.svg");
  CHECK(outcome.exit == 0);
  const std::string picture = content(place.folder() / "work" / "p.svg");
  CHECK_THAT(picture, Catch::Contains("Ratio: b.json over a.json."));
  CHECK_THAT(picture, Catch::Contains("<title>batch 16: 1.500 times as long</title>"));
}

TEST_CASE("a picture is drawn of what can be read, or not at all", "[cli]") {
  const Workplace place;
  place.write("a.json", profile("T4", point(8, 0.1) + "," + point(16, 0.2)));
  place.write("b.json", "{}");
  const Outcome some = place.run("dbsim profile show b.json a.json --svg p.svg");
  CHECK(some.exit == 2);
  CHECK_THAT(content(place.folder() / "work" / "p.svg"), Catch::Contains("<title>m on T4</title>"));
  const Outcome none = place.run("dbsim profile show b.json --svg q.svg");
  CHECK(none.exit == 2);
  CHECK(place.files() == std::vector<std::string>{"a.json", "b.json", "p.svg"});
  place.write("full/x", "");
  const Outcome nowhere = place.run("dbsim profile show a.json --svg full");
  CHECK(nowhere.exit == 1);
  CHECK_THAT(nowhere.err, Catch::Contains("full"));
}

TEST_CASE("shown profiles are told apart by their files, and a bad one stops no other", "[cli]") {
  const Workplace place;
  place.write("a.json", profile("T4", point(8, 0.1) + "," + point(16, 0.2)));
  place.write("b.json", "{}");
  const Outcome outcome = place.run("dbsim profile show b.json a.json");
  CHECK(outcome.exit == 2);
  CHECK(outcome.err.find("b.json") != std::string::npos);
  CHECK(outcome.out.starts_with("a.json\n\ndevice    T4\n"));
}

TEST_CASE("profiles are merged into a file or onto standard output", "[cli]") {
  const Workplace place;
  place.write("a.json", profile("T4", point(8, 0.1) + "," + point(16, 0.2)));
  place.write("b.json", profile("T4", point(32, 0.4) + "," + point(64, 0.8)));
  place.write("c.json", profile("T4", point(4, 0.05) + "," + point(128, 1.6)));
  CHECK(
      nlohmann::json::parse(place.run("dbsim profile merge a.json b.json").out)["points"].size() ==
      4);
  const Outcome outcome = place.run("dbsim profile merge a.json b.json c.json --out all.json");
  CHECK(outcome.exit == 0);
  CHECK(outcome.out == "Merged 3 profiles into all.json\n");
  CHECK(place.run("dbsim check all.json").exit == 0);
}

TEST_CASE("a comparison answers no when profiles are too far apart", "[cli]") {
  const Workplace place;
  place.write("a.json", profile("T4", point(8, 0.1) + "," + point(16, 0.2)));
  place.write("b.json", profile("T4", point(8, 0.104) + "," + point(32, 0.4)));
  const Outcome outcome = place.run("dbsim profile compare a.json b.json");
  CHECK(outcome.exit == 0);
  CHECK(outcome.out.find("\nLargest difference at a batch size that both measured: 4.0 %\n") !=
        std::string::npos);
  CHECK(place.run("dbsim profile compare a.json b.json --within 5").exit == 0);
  CHECK(place.run("dbsim profile compare a.json b.json --within 3.9").exit == 1);
}
