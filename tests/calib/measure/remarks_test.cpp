#include "calib/measure/remarks.hpp"

#include "tests/calib/support/samples.hpp"
#include "tests/calib/support/simulated_machine.hpp"
#include "tests/catch.hpp"

using namespace dbsim::calib;
using namespace dbsim::calib::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

Measurement quiet() {
  Measurement measurement;
  measurement.explored = true;
  measurement.memory = {.fits = 64, .fails = 65};
  measurement.batches = {samples_of(8, {1.0, 1.001, 0.999, 1.0, 1.001, 1.0}),
                         samples_of(64, {2.0, 2.001, 2.0, 1.999, 2.0, 2.001})};
  return measurement;
}

std::string only_remark(const Measurement& measurement, const MeasureOptions& options = {}) {
  const std::vector<std::string> remarks = remarks_on(measurement, options);
  REQUIRE(remarks.size() == 1);
  return remarks.front();
}

}  // namespace

TEST_CASE("a quiet run needs no remark", "[remarks]") { CHECK(remarks_on(quiet(), {}).empty()); }

TEST_CASE("drift is found through noise, with its direction", "[remarks]") {
  MachineTraits traits;
  traits.warming = 0.05;
  traits.warming_s = 20.0;
  SimulatedMachine machine{traits, 1};
  SimulatedRunner runner{machine};
  const MeasureOptions options{.batches = {8, 16, 32}, .only_these = true, .budget_s = 30.0};
  const Measurement result = measure(runner, options, {}, undisturbed(machine));
  const auto drift = drift_of(result);
  REQUIRE(drift);
  // From 1.0 towards 1.05, most of the way; a straight line through it rises a little less.
  CHECK(drift->change > 0.02);
  CHECK(drift->change < 0.05);
  CHECK(drift->error < 0.005);
  CHECK_THAT(remarks_on(result, options).front(), StartsWith("Steps became") && Contains("slower"));
}

TEST_CASE("an exact line of drift is told exactly", "[remarks]") {
  Measurement measurement;
  measurement.batches = {samples_of(8, {0.98, 0.99, 1.0, 1.01, 1.02, 1.03, 1.04})};
  const auto drift = drift_of(measurement);
  REQUIRE(drift);
  CHECK(drift->change == Approx(0.06 / 1.01));
  CHECK(drift->error == Approx(0.0).margin(1e-9));
}

TEST_CASE("throttling is told: in passing, or as what the device is like", "[remarks]") {
  Measurement measurement = quiet();
  measurement.batches[0].visits[1].throttled = true;
  CHECK(only_remark(measurement) ==
        "The device lowered its clocks in 1 of 12 visits; these were repeated and do not count.");
  for (BatchSamples& batch : measurement.batches) {
    for (Visit& visit : batch.visits) visit.throttled = true;
  }
  CHECK(only_remark(measurement) ==
        "The device lowered its clocks in 12 of 12 visits, so these are the times of a throttled "
        "device.");
}

TEST_CASE("a visit that another program spoilt is told", "[remarks]") {
  Measurement measurement = quiet();
  measurement.batches[1].visits[2] = visit_of(3.0, 2.0);
  CHECK_THAT(only_remark(measurement), StartsWith("1 of 12 visits were far from the others"));
}

TEST_CASE("a precision that was not reached is told", "[remarks]") {
  CHECK_THAT(only_remark(quiet(), {.precision = 1e-4}),
             StartsWith("2 of 2 batch sizes are known less well than the 0.01 % asked for"));
}

TEST_CASE("what is not known of memory is told", "[remarks]") {
  Measurement measurement = quiet();
  measurement.memory.fails = 67;
  CHECK(only_remark(measurement) ==
        "Batch 64 fits in memory and 67 does not; those between were not tried.");
  measurement.fewer_later = true;
  CHECK_THAT(only_remark(measurement), StartsWith("Batch 67 fitted at first and did not later"));
}

TEST_CASE("batches that were left out are told", "[remarks]") {
  Measurement measurement = quiet();
  measurement.left_out = 128;
  CHECK(only_remark(measurement, {.budget_s = 20.0}) ==
        "Batches from 128 on were left out, as they would have taken longer than the budget of 20 "
        "s.");
}
