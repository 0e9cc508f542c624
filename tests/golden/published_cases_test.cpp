// Cases that others measured, one scenario each.
#include <cstdlib>

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
