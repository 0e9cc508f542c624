// The program as a user meets it, on pretended devices.
#include <string>

#include "sim/profile/profile_document.hpp"
#include "tests/catch.hpp"
#include "tests/cli/program.hpp"

using namespace dbsim;
using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;
using dbsim::test::Outcome;
using dbsim::test::Workplace;
using Files = std::vector<std::string>;

namespace {

ProfileDocument profile_in(const Workplace& place, const std::string& name) {
  return load_profile_document((place.folder() / "work" / name).string());
}

}  // namespace

TEST_CASE("a calibration writes a profile and says where it is", "[calibrate]") {
  const Workplace place;
  const Outcome outcome = place.run(
      "dbsim --model resnet18 --dataset cifar10 --batches 8,16,32 --budget 1 --device cpu "
      "--interference");
  CHECK(outcome.exit == 0);
  CHECK(outcome.err.empty());
  CHECK_THAT(outcome.out, StartsWith("resnet18-cifar10 on Simulated device\n"));
  CHECK_THAT(outcome.out, Contains("\nProfile: resnet18-cifar10-cpu.json\n"));
  CHECK_THAT(outcome.out, Contains("dbsim run SCENARIO.toml --set 'worker[0].profile=/"));
  CHECK(place.files() == Files{"resnet18-cifar10-cpu.json"});
  const ProfileDocument profile = profile_in(place, "resnet18-cifar10-cpu.json");
  REQUIRE(profile.points.size() == 3);
  // The pretended law: 4 ms and half a millisecond a sample.
  CHECK(profile.points[1].step.median == Approx(0.012).epsilon(0.01));
  CHECK(profile.model.name == "resnet18-cifar10");
  CHECK(profile.date.size() == 20);
  REQUIRE(profile.interference.size() == 2);
  CHECK(profile.interference[0].slowdown == Approx(1.4).epsilon(0.02));
}

TEST_CASE("a calibration can be drawn", "[calibrate]") {
  const Workplace place;
  const Outcome outcome = place.run(
      "dbsim --model mnistnet-mnist --batches 8,16,32 --budget 1 --device cpu --out p.json --svg "
      "p.svg");
  CHECK(outcome.exit == 0);
  CHECK_THAT(outcome.out, Contains("\nProfile: p.json\nPicture: p.svg\nNext"));
  CHECK(place.files() == Files{"p.json", "p.svg"});
  CHECK_THAT(dbsim::test::content(place.folder() / "work" / "p.svg"),
             Contains("<title>mnistnet-mnist on Simulated device</title>"));
}

TEST_CASE("the memory's limit ends a range", "[calibrate]") {
  const Workplace place;
  const Outcome outcome = place.run(
      "dbsim --model mnistnet-mnist --batches 50:max --budget 1 --device small:0 --out deep/p.json "
      "--quiet");
  CHECK(outcome.exit == 0);
  CHECK(outcome.out.empty());
  const ProfileDocument profile = profile_in(place, "deep/p.json");
  CHECK(profile.max_batch == Samples{100});
  CHECK(profile.points.back().batch == Samples{100});
}

TEST_CASE("a device that cannot be used says exactly why, and how to use the CPU", "[calibrate]") {
  const Workplace place;
  const Outcome outcome = place.run("dbsim --model mnistnet-mnist --device cuda:0");
  CHECK(outcome.exit == 2);
  CHECK(outcome.err ==
        "dbsim-calibrate: --device: cuda:0 cannot be used: no NVIDIA driver is loaded; to measure "
        "the CPU instead: --device cpu\nTry 'dbsim-calibrate --help'.\n");
  CHECK(place.files().empty());
}

TEST_CASE("names that no device, backend, precision or model has are refused with the nearest",
          "[calibrate]") {
  const Workplace place;
  const auto refused = [&](const std::string& words) {
    const Outcome outcome = place.run("dbsim " + words);
    CHECK(outcome.exit == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK_THAT(
      refused("--model mnistnet-mnist --device cuda:00"),
      Contains(
          "found 'cuda:00'; expected one of cuda:0, cpu, small:0, tiny:0, failing:0; did you mean "
          "'cuda:0'?"));
  CHECK_THAT(refused("--model mnistnet-mnist --device cpu --backend eigne"),
             Contains("--backend: found 'eigne'; expected one of auto, eigen on cpu; did you mean "
                      "'eigen'?"));
  CHECK_THAT(refused("--model mnistnet-mnist --device cpu --precision fp16"),
             Contains("--precision: found 'fp16'; expected one of fp32 on cpu"));
  CHECK_THAT(refused("--model mnistnet --dataset mnits"),
             Contains("did you mean 'mnistnet-mnist'"));
  CHECK_THAT(refused("--model none.toml"), Contains("none.toml: found no such file"));
  CHECK_THAT(refused("--model m.toml --dataset x"), Contains("--dataset"));
}

TEST_CASE("a device without room says so", "[calibrate]") {
  const Workplace place;
  const Outcome none = place.run("dbsim --model mnistnet-mnist --device tiny:0");
  CHECK(none.exit == 2);
  CHECK_THAT(none.err, Contains("not even one sample of the model fits in the device's memory"));
  const Outcome few = place.run("dbsim --model mnistnet-mnist --device small:0 --batches 64,512");
  CHECK(few.exit == 2);
  CHECK_THAT(few.err, Contains("the largest batch that fits in memory is 100"));
  CHECK(place.files().empty());
}

TEST_CASE("a device that fails is not our bug", "[calibrate]") {
  const Workplace place;
  const Outcome outcome = place.run("dbsim --model mnistnet-mnist --device failing:0");
  CHECK(outcome.exit == 1);
  CHECK_THAT(outcome.err,
             StartsWith("dbsim-calibrate: failing:0 failed: the bus is gone; samples"));
}

TEST_CASE("the list shows devices with reasons, and the models that come with dbsim",
          "[calibrate]") {
  const Workplace place;
  const Outcome outcome = place.run("dbsim --list");
  CHECK(outcome.exit == 0);
  CHECK_THAT(outcome.out, Contains("  cuda:0    cannot be used: no NVIDIA driver is loaded\n"));
  CHECK_THAT(outcome.out, Contains("  small:0   Simulated device with room for 100 samples"));
  // 11,173,962 parameters, as published for the CIFAR variant.
  CHECK_THAT(outcome.out, Contains("  resnet18-cifar10                  11.17 M parameters"));
}

TEST_CASE("Ctrl-C keeps what is measured, and a rerun goes on from it", "[calibrate]") {
  const Workplace place;
  const std::string command = "--model mnistnet-mnist --device cpu --batches 8,16,32 --out p.json";
  const Outcome first = place.run("\"$DBSIM\" " + command +
                                  " --budget 600 & pid=$!; sleep 1; kill -INT $pid; wait $pid");
  CHECK(first.exit == 130);
  CHECK_THAT(first.err, Contains("interrupted; the profile is of what was complete; samples are in "
                                 "p.json.partial; run again to go on"));
  CHECK(place.files() == Files{"p.json", "p.json.partial"});
  const auto repetitions = profile_in(place, "p.json").points.front().step.repetitions;

  const Outcome other = place.run(
      "dbsim --model mnistnet-mnist --device cpu --batches 8,16 "
      "--out p.json");
  CHECK(other.exit == 2);
  CHECK_THAT(other.err, Contains("conditions.batches: found '8,16,32'; expected '8,16'"));

  const Outcome second = place.run("dbsim " + command + " --budget 2");
  CHECK(second.exit == 0);
  CHECK(second.err == "dbsim-calibrate: going on from p.json.partial\n");
  CHECK(place.files() == Files{"p.json"});
  CHECK(profile_in(place, "p.json").points.front().step.repetitions >= repetitions);
}

TEST_CASE("help and version need no device", "[calibrate]") {
  const Workplace place;
  CHECK_THAT(place.run("dbsim --help").out, StartsWith("Usage: dbsim-calibrate --model NAME"));
  CHECK_THAT(place.run("dbsim --version").out, StartsWith("dbsim-calibrate "));
  CHECK(place.run("dbsim").exit == 2);
}
