#include "calib/measure/measure.hpp"

#include <algorithm>
#include <set>

#include "calib/measure/interval.hpp"
#include "tests/calib/support/simulated_machine.hpp"
#include "tests/catch.hpp"

using namespace dbsim::calib;
using namespace dbsim::calib::test;

namespace {

std::vector<std::int64_t> batches_of(const Measurement& measurement) {
  std::vector<std::int64_t> batches;
  for (const BatchSamples& samples : measurement.batches) batches.push_back(samples.batch);
  return batches;
}

MeasureOptions quick() {
  return {.batches = {8, 16, 32, 64}, .only_these = true, .budget_s = 40.0, .least_span_s = 0.0};
}

}  // namespace

TEST_CASE("measuring ends when every interval is within the precision", "[measure]") {
  MachineTraits traits;
  traits.step_noise = 0.005;
  SimulatedMachine machine{traits, 1};
  SimulatedRunner runner{machine};
  const Measurement result = measure(runner, quick(), {}, undisturbed(machine));
  CHECK(is_complete(result, quick()));
  CHECK(result.elapsed_s < 40.0);
  const RunNoise noise = run_noise(result.batches);
  for (const BatchSamples& samples : result.batches) {
    const auto medians = visit_medians(kept_visits(samples), Part::step);
    CHECK(medians.size() >= 5);
    CHECK(*relative_half_width(medians, noise) <= 0.01);
  }
}

TEST_CASE("measuring ends when the budget is spent, but not before there are intervals",
          "[measure]") {
  MachineTraits traits;
  traits.visit_noise = 0.2;
  for (const double budget : {0.001, 20.0}) {
    SimulatedMachine machine{traits, 2};
    SimulatedRunner runner{machine};
    MeasureOptions options = quick();
    options.budget_s = budget;
    const Measurement result = measure(runner, options, {}, undisturbed(machine));
    CHECK(is_complete(result, options));
    for (const BatchSamples& samples : result.batches) {
      CHECK(kept_visits(samples).size() >= options.least_visits);
    }
    if (budget > 1.0) CHECK(result.elapsed_s == Approx(budget).epsilon(0.05));
  }
}

TEST_CASE("visits go on for as long as it takes to see drift", "[measure]") {
  MachineTraits traits;
  traits.step_noise = 0.0;
  SimulatedMachine machine{traits, 3};
  SimulatedRunner runner{machine};
  MeasureOptions options = quick();
  options.least_span_s = 15.0;
  const Measurement result = measure(runner, options, {}, undisturbed(machine));
  for (const BatchSamples& samples : result.batches) {
    CHECK(samples.visits.back().started_s - samples.visits.front().started_s >= 15.0);
  }
}

TEST_CASE("batches take turns, each round in another order", "[measure]") {
  SimulatedMachine machine{{}, 4};
  SimulatedRunner runner{machine};
  (void)measure(runner, quick(), {}, undisturbed(machine));
  // One look at memory, one first step of each batch, then rounds of all four.
  std::set<std::vector<std::int64_t>> orders;
  for (std::size_t round = 0; round < 5; ++round) {
    const auto begin = runner.prepared.begin() + 5 + static_cast<std::ptrdiff_t>(4 * round);
    std::vector<std::int64_t> order(begin, begin + 4);
    orders.insert(order);
    std::sort(order.begin(), order.end());
    CHECK(order == quick().batches);
  }
  CHECK(orders.size() >= 3);
}

TEST_CASE("the same seed on the same machine gives the same samples", "[measure]") {
  const auto once = [](std::uint64_t seed) {
    SimulatedMachine machine{{}, 5};
    SimulatedRunner runner{machine};
    MeasureOptions options = quick();
    options.seed = seed;
    return measure(runner, options, {}, undisturbed(machine));
  };
  CHECK(once(1) == once(1));
  CHECK_FALSE(once(1) == once(2));
}

TEST_CASE("out of memory is an answer: the largest batch that fits is found and measured",
          "[measure]") {
  MachineTraits traits;
  traits.largest_batch = 100;
  SimulatedMachine machine{traits, 6};
  SimulatedRunner runner{machine};
  MeasureOptions options = quick();
  options.batches = {8, 16, 32, 64, 128, 256, 512};
  options.only_these = false;
  const Measurement result = measure(runner, options, {}, undisturbed(machine));
  CHECK(result.memory == MemoryLimit{.fits = 100, .fails = 101});
  CHECK(batches_of(result) == std::vector<std::int64_t>{8, 16, 32, 64, 100});
}

TEST_CASE("where not even one sample fits there is nothing to measure", "[measure]") {
  MachineTraits traits;
  traits.largest_batch = 0;
  SimulatedMachine machine{traits, 7};
  SimulatedRunner runner{machine};
  const Measurement result = measure(runner, quick(), {}, undisturbed(machine));
  CHECK(result.memory.fits == 0);
  CHECK(result.batches.empty());
}

TEST_CASE("memory that shrinks while measuring loses the batches beyond it, not the others",
          "[measure]") {
  /// Room for everything at first, for 40 samples later.
  class Shrinking : public SimulatedRunner {
   public:
    using SimulatedRunner::SimulatedRunner;
    [[nodiscard]] bool prepare(std::int64_t batch) override {
      return SimulatedRunner::prepare(batch) && (prepared.size() < 15 || batch <= 40);
    }
  };
  SimulatedMachine machine{{}, 8};
  Shrinking runner{machine};
  const Measurement result = measure(runner, quick(), {}, undisturbed(machine));
  CHECK(batches_of(result) == std::vector<std::int64_t>{8, 16, 32});
  CHECK(result.fewer_later);
  CHECK(result.memory == MemoryLimit{.fits = 32, .fails = 64});
}

TEST_CASE("batches are added where the curve bends", "[measure]") {
  MachineTraits traits;
  traits.step_noise = 0.002;
  traits.law = [](std::int64_t batch) {
    return 0.0005 * std::max(64.0, static_cast<double>(batch));
  };
  SimulatedMachine machine{traits, 9};
  SimulatedRunner runner{machine};
  MeasureOptions options = quick();
  options.batches = {16, 32, 64, 128, 256};
  options.only_these = false;
  options.budget_s = 200.0;
  const Measurement result = measure(runner, options, {}, undisturbed(machine));
  const std::vector<std::int64_t> batches = batches_of(result);
  const auto near_the_bend = std::count_if(batches.begin(), batches.end(),
                                           [](std::int64_t b) { return b > 32 && b < 128; });
  CHECK(near_the_bend >= 3);
  CHECK(std::count_if(batches.begin(), batches.end(), [](std::int64_t b) { return b > 128; }) == 1);
  for (const BatchSamples& samples : result.batches) {
    CHECK(samples.visits.size() >= options.least_visits);
  }
}

TEST_CASE("batches that would take longer than the budget are left out", "[measure]") {
  SimulatedMachine machine{{}, 10};
  SimulatedRunner runner{machine};
  MeasureOptions options = quick();
  options.batches = {8, 16, 32, 1024, 2048, 65536};
  options.only_these = false;
  options.budget_s = 20.0;
  const Measurement result = measure(runner, options, {}, undisturbed(machine));
  REQUIRE(result.left_out);
  CHECK(result.elapsed_s < 25.0);
  CHECK(result.batches.back().batch < *result.left_out);
  CHECK(result.batches.size() >= 3);
}

TEST_CASE("throttled visits are repeated until there are enough of the others", "[measure]") {
  MachineTraits traits;
  traits.step_noise = 0.002;
  traits.throttled_from = 5.0;
  traits.throttled_to = 8.0;
  SimulatedMachine machine{traits, 11};
  SimulatedRunner runner{machine};
  MeasureOptions options = quick();
  options.least_span_s = 15.0;
  const Measurement result = measure(runner, options, {}, undisturbed(machine));
  std::size_t throttled = 0;
  const RunNoise noise = run_noise(result.batches);
  for (const BatchSamples& samples : result.batches) {
    for (const Visit& visit : samples.visits) throttled += visit.throttled ? 1 : 0;
    CHECK(estimate_median(kept_visits(samples), Part::step, noise)->median ==
          Approx(traits.law(samples.batch)).epsilon(0.01));
  }
  CHECK(throttled > 0);
}

TEST_CASE("an interrupted run keeps complete visits only, and a rerun goes on from them",
          "[measure]") {
  SimulatedMachine machine{{}, 12};
  SimulatedRunner runner{machine};
  Surroundings surroundings = undisturbed(machine);
  std::size_t asked = 0;
  surroundings.stop = [&asked] { return ++asked > 150; };
  const Measurement first = measure(runner, quick(), {}, surroundings);
  REQUIRE(first.explored);
  CHECK_FALSE(is_complete(first, quick()));
  std::size_t visits = 0;
  for (const BatchSamples& samples : first.batches) {
    visits += samples.visits.size();
    for (const Visit& visit : samples.visits) CHECK(visit.steps.size() >= 2);
  }
  CHECK(visits > 0);

  machine.pass(1000.0);  // between the two sessions
  const Measurement second = measure(runner, quick(), first, undisturbed(machine));
  CHECK(is_complete(second, quick()));
  CHECK(second.elapsed_s < 41.0);
  for (std::size_t i = 0; i < first.batches.size(); ++i) {
    const auto& before = first.batches[i].visits;
    const auto& after = second.batches[i].visits;
    REQUIRE(after.size() >= before.size());
    CHECK(std::equal(before.begin(), before.end(), after.begin()));
  }
}

TEST_CASE("an interrupt while looking where memory ends leaves a run that begins anew",
          "[measure]") {
  SimulatedMachine machine{{}, 13};
  SimulatedRunner runner{machine};
  Surroundings surroundings = undisturbed(machine);
  surroundings.stop = [] { return true; };
  const Measurement first = measure(runner, quick(), {}, surroundings);
  CHECK_FALSE(first.explored);
  CHECK(is_complete(measure(runner, quick(), first, undisturbed(machine)), quick()));
}

TEST_CASE("progress never promises less than nothing and ends near one", "[measure]") {
  SimulatedMachine machine{{}, 14};
  SimulatedRunner runner{machine};
  Surroundings surroundings = undisturbed(machine);
  std::vector<MeasureProgress> reports;
  std::size_t kept = 0;
  surroundings.report = [&](const MeasureProgress& progress) { reports.push_back(progress); };
  surroundings.keep = [&](const Measurement& /*measurement*/) { ++kept; };
  (void)measure(runner, quick(), {}, surroundings);
  for (const MeasureProgress& progress : reports) {
    CHECK(progress.fraction >= 0.0);
    CHECK(progress.fraction <= 1.0);
    CHECK(progress.seconds_left >= 0.0);
    CHECK_FALSE(progress.what.empty());
  }
  CHECK(reports.back().fraction > 0.5);
  CHECK(kept >= 5);
}
