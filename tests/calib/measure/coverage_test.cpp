// The promise of the intervals, kept on machines that drift: hundreds of pairs of runs.
#include <array>
#include <string>

#include "calib/measure/interval.hpp"
#include "calib/measure/measure.hpp"
#include "tests/calib/support/simulated_machine.hpp"
#include "tests/catch.hpp"
#include "tests/support/build_kind.hpp"

using namespace dbsim;
using namespace dbsim::calib;
using namespace dbsim::calib::test;

namespace {

struct Kind {
  std::string name;
  MachineTraits traits;
};

std::vector<Kind> kinds() {
  std::vector<Kind> all;
  all.push_back({"steps alike within a visit", {.step_noise = 0.02, .step_memory = 0.9}});
  all.push_back({"visits that differ", {.step_noise = 0.01, .visit_noise = 0.02}});
  all.push_back({"fast drift", {.drift = 0.02, .drift_s = 3.0}});
  all.push_back({"slow drift", {.drift = 0.02, .drift_s = 30.0}});
  all.push_back({"drift as slow as the run", {.drift = 0.02, .drift_s = 120.0}});
  all.push_back({"random walk", {.walk = 0.002}});
  all.push_back({"warms up after each start", {.warming = 0.05, .warming_s = 30.0}});
  all.push_back({"another program now and then",
                 {.visit_noise = 0.005, .spike_probability = 0.05, .spike_factor = 1.4}});
  all.push_back({"a device that holds still", {.step_noise = 0.002, .step_memory = 0.0}});
  return all;
}

Measurement one_run(SimulatedMachine& machine, std::uint64_t seed) {
  SimulatedRunner runner{machine};
  const MeasureOptions options{.batches = {8, 16, 32, 64, 128},
                               .only_these = true,
                               .precision = 0.01,
                               .budget_s = 120.0,
                               .seed = seed};
  return measure(runner, options, {}, undisturbed(machine));
}

/// How many of the second run's medians lie in the first run's intervals.
double coverage(const MachineTraits& traits, std::size_t pairs) {
  std::size_t held = 0;
  std::size_t points = 0;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    SimulatedMachine machine{traits, 1000 + pair};
    machine.pass(1000.0);  // the drift has forgotten its beginning
    const Measurement first = one_run(machine, 2 * pair);
    machine.pass(20.0);
    const Measurement second = one_run(machine, 2 * pair + 1);
    const RunNoise first_noise = run_noise(first.batches);
    const RunNoise second_noise = run_noise(second.batches);
    for (std::size_t i = 0; i < first.batches.size(); ++i) {
      const auto before = estimate_median(kept_visits(first.batches[i]), Part::step, first_noise);
      const auto after = estimate_median(kept_visits(second.batches[i]), Part::step, second_noise);
      REQUIRE(before);
      REQUIRE(after);
      ++points;
      const bool inside =
          before->interval.low <= after->median && after->median <= before->interval.high;
      held += inside ? 1 : 0;
    }
  }
  return static_cast<double>(held) / static_cast<double>(points);
}

}  // namespace

TEST_CASE("an interval holds the median of a second run in at least 85 % of points, drift or not",
          "[measure]") {
  if (!dbsim::test::released) {
    WARN("skipped: takes minutes without optimisation");
    return;
  }
  constexpr std::size_t pairs = 30;
  for (const Kind& kind : kinds()) {
    CAPTURE(kind.name);
    const double share = coverage(kind.traits, pairs);
    CHECK(share >= 0.85);
  }
}

TEST_CASE("on a device that holds still the intervals are not wider than they need to be",
          "[measure]") {
  MachineTraits traits;
  traits.step_noise = 0.01;
  traits.step_memory = 0.0;
  SimulatedMachine machine{traits, 5};
  const Measurement measurement = one_run(machine, 5);
  const RunNoise noise = run_noise(measurement.batches);
  for (const BatchSamples& batch : measurement.batches) {
    const auto estimate = estimate_median(kept_visits(batch), Part::step, noise);
    REQUIRE(estimate);
    CHECK(estimate->interval.high - estimate->interval.low < 2.0 * 0.01 * estimate->median);
    CHECK(estimate->median == Approx(traits.law(batch.batch)).epsilon(0.005));
  }
}
