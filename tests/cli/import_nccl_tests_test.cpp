// Networks on the command line: imported, written, tried on sizes that were left out.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/catch.hpp"
#include "tests/cli/program.hpp"

using dbsim::test::content;
using dbsim::test::Outcome;
using dbsim::test::Workplace;

namespace {

/// 10 us and 2 GB/s between the 8 ranks of two hosts, in place; 20 us out of place.
constexpr const char* run =
    "#  Rank  0 Group  0 Pid 1 on a device  0 [0x1] Card\n"
    "#  Rank  1 Group  0 Pid 1 on a device  1 [0x2] Card\n"
    "#  Rank  2 Group  0 Pid 1 on a device  2 [0x3] Card\n"
    "#  Rank  3 Group  0 Pid 1 on a device  3 [0x4] Card\n"
    "#  Rank  4 Group  0 Pid 2 on b device  0 [0x1] Card\n"
    "#  Rank  5 Group  0 Pid 2 on b device  1 [0x2] Card\n"
    "#  Rank  6 Group  0 Pid 2 on b device  2 [0x3] Card\n"
    "#  Rank  7 Group  0 Pid 2 on b device  3 [0x4] Card\n"
    "#                                              out-of-place         in-place\n"
    "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
    "# (B) (elements) (us) (GB/s) (GB/s) (us) (GB/s) (GB/s)\n"
    "  2000 500 float sum -1 21.00 0.10 0.17 0 11.00 0.18 0.32 0\n"
    "  20000 5000 float sum -1 30.00 0.67 1.17 0 20.00 1.00 1.75 0\n"
    "  200000 50000 float sum -1 120.0 1.67 2.92 0 110.0 1.82 3.18 0\n"
    "  2000000 500000 float sum -1 1020 1.96 3.43 0 1010 1.98 3.47 0\n"
    "  20000000 5000000 float sum -1 10020 2.00 3.49 0 10010 2.00 3.50 0\n";

}  // namespace

TEST_CASE("a run of nccl-tests becomes a network file and a table", "[cli]") {
  const Workplace place;
  place.write("run.txt", run);
  const Outcome outcome =
      place.run("dbsim import nccl-tests run.txt --source 'my notes' --out net.json");
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.starts_with("run.txt\n\nAll-reduce between 8 ranks on 2 hosts\n"));
  CHECK(outcome.out.find("\nLatency 10 us, bandwidth 2.000 GB/s (busbw 3.500 GB/s).") !=
        std::string::npos);
  CHECK(outcome.out.ends_with("\nWritten to net.json\n"));
  const auto json = nlohmann::json::parse(content(place.folder() / "work" / "net.json"));
  CHECK(json["schema"] == "dbsim.network/1");
  CHECK(json["ranks_per_host"] == nlohmann::json{4, 4});
  CHECK(json["source"] == "my notes");
  CHECK(json["points"].size() == 5);
  CHECK(json["fit"]["latency_s"].get<double>() == Approx(1e-5).epsilon(1e-6));
}

TEST_CASE("the times out of place are another choice", "[cli]") {
  const Workplace place;
  place.write("run.txt", run);
  const Outcome outcome = place.run("dbsim import nccl-tests run.txt --place out");
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.out.find("\nLatency 20 us,") != std::string::npos);
  CHECK(place.files() == std::vector<std::string>{"run.txt"});
}

TEST_CASE("networks of several files go into a folder", "[cli]") {
  const Workplace place;
  place.write("one.txt", run);
  place.write("two.log", run);
  const Outcome outcome = place.run("dbsim import nccl-tests one.txt two.log --out nets");
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.out.find("\n\ntwo.log\n\n") != std::string::npos);
  CHECK(content(place.folder() / "work" / "nets" / "one.json") ==
        content(place.folder() / "work" / "nets" / "two.json"));
  CHECK(place.run("dbsim import nccl-tests one.txt --out nets/more/").exit == 0);
  CHECK_FALSE(content(place.folder() / "work" / "nets" / "more" / "one.json").empty());
}

TEST_CASE("the error on sizes that were left out decides the exit code", "[cli]") {
  const Workplace place;
  place.write("run.txt", run);
  // A fitted size that takes twice as long as the line.
  std::string bent = run;
  bent.replace(bent.find("110.0 1.82 3.18"), 15, "220.0 0.91 1.59");
  place.write("bent.txt", bent);
  const Outcome good = place.run("dbsim import nccl-tests run.txt --halves --within 1");
  CHECK(good.exit == 0);
  CHECK(good.out.find("\nrun.txt          2     0.0") != std::string::npos);
  CHECK(good.out.ends_with("\nEvery median error is within 1 %.\n"));
  CHECK(place.run("dbsim import nccl-tests run.txt bent.txt --halves").exit == 0);
  const Outcome bad = place.run("dbsim import nccl-tests run.txt bent.txt --halves --within 1");
  CHECK(bad.exit == 1);
  CHECK(bad.out.ends_with("\nThe median error of 1 of 2 files is not within 1 %.\n"));
}

TEST_CASE("an imported network drives a scenario, which takes the times that were measured",
          "[cli]") {
  const Workplace place;
  place.write("run.txt", run);
  REQUIRE(place.run("dbsim import nccl-tests run.txt --out net.json").exit == 0);
  place.write("on-it.toml", R"(dbsim = 1
name = "One step of eight workers"
policies = ["fixed"]
job = { model = "m", samples = 8, epochs = 1, global_batch = 8, gradient = "2000 B" }
worker = [{ name = "w", count = 8, profile = { overhead = "1 ms", per_sample = "1 ms" } }]
network = { measured = "net.json" }
)");
  for (const auto& [bytes, microseconds] : {std::pair{"2000", 11.0},
                                            {"20000", 20.0},
                                            {"200000", 110.0},
                                            {"2000000", 1010.0},
                                            {"20000000", 10010.0}}) {
    const Outcome outcome = place.run(
        std::string{"dbsim run on-it.toml --json --set 'job.gradient=\""} + bytes + " B\"'");
    REQUIRE(outcome.exit == 0);
    const auto json = nlohmann::json::parse(outcome.out);
    const auto& worker = json["policies"][0]["epochs"][0]["workers"][0];
    // 14 rounds, each in whole nanoseconds.
    CHECK(worker["communication_s"].get<double>() == Approx(1e-6 * microseconds).margin(14e-9));
    CHECK(json["policies"][0]["warnings"].empty());
  }
  const Outcome fewer = place.run("dbsim run on-it.toml --set worker[0].count=4");
  CHECK(fewer.out.find("measured with 8 ranks") != std::string::npos);
}
