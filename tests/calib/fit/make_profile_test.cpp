#include "calib/fit/make_profile.hpp"

#include <algorithm>
#include <cmath>

#include "tests/calib/support/samples.hpp"
#include "tests/calib/support/simulated_machine.hpp"
#include "tests/catch.hpp"

using namespace dbsim;
using namespace dbsim::calib;
using namespace dbsim::calib::test;

namespace {

Model small_model() {
  Model model;
  model.name = "m";
  model.input = {28, 28, 1};
  model.parameters = {{"w", {10, 5}, {}}, {"b", {5}, {}}};
  return model;
}

ProfileFacts facts_of(const Model& model) {
  return {.model = model,
          .device = {.name = "d", .memory_bytes = 1'000'000, .driver = "1.2", .backend = "b 3"},
          .buckets = {{3000}, {1000}},
          .precision = "fp32",
          .date = "2026-11-30T12:00:00Z"};
}

Measurement two_batches() {
  Measurement measurement;
  measurement.explored = true;
  measurement.memory = {.fits = 64, .fails = 65};
  measurement.batches = {samples_of(8, {0.010, 0.011, 0.010, 0.012}),
                         samples_of(64, {0.070, 0.071, 0.069})};
  return measurement;
}

}  // namespace

TEST_CASE("a point has the statistics of all its steps", "[fit]") {
  const Model model = small_model();
  const ProfileDocument document = make_profile(two_batches(), {}, facts_of(model));
  REQUIRE(document.points.size() == 2);
  const ProfilePoint& point = document.points.front();
  CHECK(point.batch == Samples{8});
  // Twelve steps: 10 ms six times, 11 ms three times, 12 ms three times.
  CHECK(point.step.median == Approx(0.0105));
  CHECK(*point.step.p05 == Approx(0.010));
  CHECK(*point.step.p95 == Approx(0.012));
  CHECK(point.step.repetitions == 12);
  // Mean 10.75, sum of squares 6 * .75^2 + 3 * .25^2 + 3 * 1.25^2 = 8.25.
  CHECK(*point.step.cv == Approx(std::sqrt(8.25 / 11.0) / 10.75));
  CHECK(*point.step.low < point.step.median);
  CHECK(*point.step.high > point.step.median);
  CHECK(point.forward->median == Approx(0.3 * 0.0105));
  CHECK(point.backward->median == Approx(0.6 * 0.0105));
  CHECK(point.update->median == Approx(0.1 * 0.0105));
  CHECK(point.memory == Bytes{8000});
}

TEST_CASE("a profile says of what it is", "[fit]") {
  const Model model = small_model();
  const ProfileDocument document = make_profile(two_batches(), {}, facts_of(model));
  CHECK(document.device.name == "d");
  CHECK(document.device.memory == Bytes{1'000'000});
  CHECK(document.device.driver == "1.2");
  CHECK(document.device.clocks == "1500 to 1500 MHz, median 1500 MHz");
  CHECK(document.device.temperature == "60 to 60 degrees Celsius, median 60 degrees Celsius");
  CHECK(document.model.name == "m");
  CHECK(document.model.input_shape == std::vector<std::int64_t>{28, 28, 1});
  CHECK(document.model.parameter_bytes == Bytes{4000});
  CHECK(document.model.precision == "fp32");
  CHECK(document.backend == "b 3");
  CHECK(document.date == "2026-11-30T12:00:00Z");
  CHECK(document.max_batch == Samples{64});
}

TEST_CASE("without buckets, the parameters are floats", "[fit]") {
  const Model model = small_model();
  ProfileFacts facts = facts_of(model);
  facts.buckets.clear();
  const ProfileDocument document = make_profile(two_batches(), {}, facts);
  CHECK(document.model.parameter_bytes == Bytes{4 * 55});
  CHECK(document.buckets.empty());
}

TEST_CASE("a memory limit that was not met is not claimed", "[fit]") {
  const Model model = small_model();
  Measurement measurement = two_batches();
  measurement.memory = {.fits = 64, .fails = {}};
  CHECK_FALSE(make_profile(measurement, {}, facts_of(model)).max_batch.has_value());
}

TEST_CASE("visits that do not count leave no trace in a point", "[fit]") {
  const Model model = small_model();
  Measurement measurement = two_batches();
  measurement.batches[1] = samples_of(64, {0.070, 0.070, 0.070, 0.070, 0.140});
  const ProfilePoint point = make_profile(measurement, {}, facts_of(model)).points.back();
  CHECK(point.step.repetitions == 12);
  CHECK(*point.step.p95 == Approx(0.070));
}

TEST_CASE("a batch with one visit makes no point", "[fit]") {
  const Model model = small_model();
  Measurement measurement = two_batches();
  measurement.batches.push_back(samples_of(128, {0.2}));
  CHECK(make_profile(measurement, {}, facts_of(model)).points.size() == 2);
}

TEST_CASE("buckets are ready at the median fraction, each batch counting once", "[fit]") {
  const Model model = small_model();
  Measurement measurement = two_batches();
  for (Visit& visit : measurement.batches[0].visits) visit.ready = {0.2, 1.0};
  for (Visit& visit : measurement.batches[1].visits) visit.ready = {0.4, 1.0};
  const ProfileDocument document = make_profile(measurement, {}, facts_of(model));
  REQUIRE(document.buckets.size() == 2);
  CHECK(document.buckets[0].bytes == Bytes{3000});
  CHECK(document.buckets[0].ready == Approx(0.3));
  CHECK(document.buckets[1].ready == 1.0);
}

TEST_CASE("slowdowns are medians of pairs; a wide one is remarked on", "[fit]") {
  const Model model = small_model();
  Measurement measurement = two_batches();
  measurement.interference = {{"compute", 1, 8, {{1.0, 1.5}, {2.0, 3.0}, {1.0, 1.5}}},
                              {"memory", 2, 8, {{1.0, 1.1}, {1.0, 2.0}, {1.0, 1.3}}}};
  const ProfileDocument document = make_profile(measurement, {}, facts_of(model));
  REQUIRE(document.interference.size() == 2);
  CHECK(document.interference[0] == InterferenceRow{"compute", 1.0, 1.5});
  CHECK(document.interference[1].slowdown == Approx(1.3));
  const auto& remarks = document.remarks;
  CHECK(std::find(remarks.begin(), remarks.end(),
                  "The slowdown beside 2 x memory lies between 1.10 and 2.00.") != remarks.end());
}

TEST_CASE("a measured profile is read again as it was written, and predicts the device", "[fit]") {
  MachineTraits traits;
  traits.step_noise = 0.005;
  traits.largest_batch = 100;
  SimulatedMachine machine{traits, 1};
  SimulatedRunner runner{machine};
  const MeasureOptions options{.batches = {8, 16, 32, 64, 128}, .budget_s = 60.0};
  const Measurement measurement = measure(runner, options, {}, undisturbed(machine));
  const Model model = small_model();
  const ProfileDocument document = make_profile(measurement, options, facts_of(model));
  CHECK(parse_profile_document(to_json(document), "p.json") == document);
  const Profile profile = to_profile(document);
  CHECK(profile.max_batch == Samples{100});
  for (const std::int64_t batch : {8, 24, 50, 100}) {
    CHECK(profile.step_time.at(Samples{batch}).count() == Approx(traits.law(batch)).epsilon(0.01));
  }
}
