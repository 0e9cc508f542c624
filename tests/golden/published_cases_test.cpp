// Cases that others measured, one scenario each.
#include <cstdlib>

#include "sim/profile/profile_file.hpp"
#include "tests/catch.hpp"
#include "tests/support/shipped.hpp"

using namespace dbsim;

TEST_CASE("two large and two small cards: 300/300/200/200 is exactly 1.25 times 200 each",
          "[golden]") {
  const Results results = test::run_shipped("large-and-small.toml");
  CHECK(test::of(results, "by hand").throughput / test::of(results, "200 each").throughput == 1.25);
  CHECK(test::of(results, "200 each").throughput == Approx(2000.0).epsilon(1e-12));
  CHECK(test::of(results, "by hand").throughput == Approx(2500.0).epsilon(1e-12));
}

TEST_CASE("V100 and P100 settle near 79:49, and that beats replicas of 32 by about 17 %",
          "[golden]") {
  const Results results = test::run_shipped("mixed-nodes.toml");
  const std::vector<std::int64_t> batches =
      test::batches_of(test::of(results, "oracle").epochs.back());
  CHECK(std::abs(batches.front() - 79) <= 1);
  CHECK(std::abs(batches.back() - 49) <= 1);
}

TEST_CASE("39 cores: static shares in proportion to cores tie with DBS within 1 %", "[golden]") {
  for (const char* name : {"cores-h2.toml", "cores-h10.toml"}) {
    const Results results = test::run_shipped(name);
    const EpochTrace& dbs = test::of(results, "dbs").epochs.back();
    const EpochTrace& proportional = test::of(results, "proportional").epochs.back();
    CHECK(test::seconds_of(dbs) == Approx(test::seconds_of(proportional)).epsilon(0.01));
  }
}

TEST_CASE("under a rotating disturbance DBS is late by one epoch each time", "[golden]") {
  const Results results = test::run_shipped("lbb/rotating-disturbance.toml");
  const PolicySummary& dbs = test::of(results, "dbs");
  for (const std::size_t hit : {5U, 10U, 15U, 20U}) {
    CHECK(test::seconds_of(dbs.epochs[hit]) > test::seconds_of(dbs.epochs[hit + 3]));
  }
}

TEST_CASE("the shipped fits to Sia's step times stay as near to them as they say", "[golden]") {
  struct Published {
    const char* file;
    double off;                                               // what the file's remark allows
    std::vector<std::pair<std::int64_t, double>> step_times;  // batch, ms
  };
  const std::vector<Published> all{
      {"t4-resnet18.json",
       0.02,
       {{45, 50.49}, {91, 75.91}, {182, 137.2}, {363, 259.5}, {725, 496.1}}},
      {"a100-resnet18.json",
       0.03,
       {{91, 36.92}, {182, 41.06}, {363, 58.82}, {1450, 160.3}, {2901, 294.8}}},
      {"rtx2080ti-resnet18.json", 0.12, {{45, 57.38}, {91, 66.23}}},
      {"rtx2080ti-resnet18.json", 0.05, {{91, 66.23}, {182, 84.75}, {363, 134.1}, {725, 227.5}}},
      {"t4-resnet50-amp.json", 0.08, {{28, 208.1}, {57, 323.9}, {115, 560.2}, {163, 762.4}}},
      {"a100-resnet50-amp.json",
       0.02,
       {{28, 150.9}, {57, 166.5}, {115, 201.2}, {327, 368.7}, {653, 642.3}}}};
  for (const Published& published : all) {
    const Profile profile =
        load_profile(std::string{DBSIM_SOURCE_DIR "/scenarios/profiles/"} + published.file);
    for (const auto& [batch, milliseconds] : published.step_times) {
      CAPTURE(published.file, batch);
      CHECK(profile.step_time.at(Samples{batch}).count() * 1e3 ==
            Approx(milliseconds).epsilon(published.off));
    }
  }
}

TEST_CASE("beside T4 an A100 ends up with six to seven times their batch", "[golden]") {
  // Straight lines through the published times (T4: 129 in 103.9 ms, 182 in 137.2 ms; A100: 1025 in
  // 119.0 ms, 1450 in 160.3 ms) are equal, with 8 T4 and 2304 samples, at 157 and 1049.
  const Results results = test::run_shipped("t4-and-a100.toml");
  for (const char* policy : {"dbs", "oracle"}) {
    const std::vector<std::int64_t> batches =
        test::batches_of(test::of(results, policy).epochs.back());
    CHECK(static_cast<double>(batches.front()) == Approx(157.0).epsilon(0.03));
    CHECK(static_cast<double>(batches.back()) == Approx(1049.0).epsilon(0.03));
  }
}
