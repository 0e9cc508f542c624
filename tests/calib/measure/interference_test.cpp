#include "calib/measure/interference.hpp"

#include "tests/calib/support/simulated_machine.hpp"
#include "tests/catch.hpp"

using namespace dbsim::calib;
using namespace dbsim::calib::test;

namespace {

std::vector<std::unique_ptr<BackgroundLoad>> two_loads(SimulatedMachine& machine) {
  std::vector<std::unique_ptr<BackgroundLoad>> loads;
  loads.push_back(std::make_unique<SimulatedLoad>(machine, "compute"));
  loads.push_back(std::make_unique<SimulatedLoad>(machine, "memory"));
  return loads;
}

}  // namespace

TEST_CASE("the slowdown is found again although the machine drifts by as much", "[interference]") {
  MachineTraits traits;
  traits.step_noise = 0.005;
  traits.drift = 0.2;
  traits.drift_s = 300.0;
  SimulatedMachine machine{traits, 1};
  machine.cost_of_load = 0.25;
  SimulatedRunner runner{machine};
  const auto loads = two_loads(machine);
  const auto rows = measure_interference(runner, loads, {.batch = 64, .most_intensity = 3}, {},
                                         undisturbed(machine));
  REQUIRE(rows.size() == 6);
  for (const InterferenceSamples& row : rows) {
    const Slowdown slowdown = slowdown_of(row);
    const double truth = 1.0 + 0.25 * row.intensity;
    CHECK(slowdown.median == Approx(truth).epsilon(0.03));
    CHECK(slowdown.low <= slowdown.median);
    CHECK(slowdown.median <= slowdown.high);
  }
  CHECK(rows.front().load == "compute");
  CHECK(rows.back().load == "memory");
  CHECK(machine.loads == 0);
}

TEST_CASE("a stopped measurement keeps complete rows, ends the load, and goes on later",
          "[interference]") {
  SimulatedMachine machine{{}, 2};
  SimulatedRunner runner{machine};
  const auto loads = two_loads(machine);
  Surroundings surroundings = undisturbed(machine);
  int left = 250;
  surroundings.stop = [&left] { return left-- <= 0; };
  const InterferenceOptions options{.batch = 64};
  const auto first = measure_interference(runner, loads, options, {}, surroundings);
  CHECK(!first.empty());
  CHECK(first.size() < 4);
  CHECK(machine.loads == 0);
  const auto second = measure_interference(runner, loads, options, first, undisturbed(machine));
  REQUIRE(second.size() == 4);
  CHECK(second.front() == first.front());
}

TEST_CASE("a load ends when a step fails under it", "[interference]") {
  /// Fails once a load runs.
  class Failing : public SimulatedRunner {
   public:
    explicit Failing(SimulatedMachine& machine) : SimulatedRunner{machine}, watched_{machine} {}
    StepTimes step() override {
      if (watched_.loads > 0) throw std::runtime_error{"device lost"};
      return SimulatedRunner::step();
    }

   private:
    SimulatedMachine& watched_;
  };
  SimulatedMachine machine{{}, 3};
  Failing runner{machine};
  const auto loads = two_loads(machine);
  CHECK_THROWS_WITH(measure_interference(runner, loads, {.batch = 8}, {}, undisturbed(machine)),
                    "device lost");
  CHECK(machine.loads == 0);
}

TEST_CASE("the interval of a median ratio is that of the sign test", "[interference]") {
  InterferenceSamples samples;
  const auto add = [&](int count) {
    while (static_cast<int>(samples.pairs.size()) < count) {
      samples.pairs.push_back({1.0, 1.0 + static_cast<double>(samples.pairs.size())});
    }
  };
  // Conover 1999, table of the sign test: of 7 the 1st and 7th, of 9 the 2nd and 8th, of 20 the
  // 6th and 15th.
  add(7);
  CHECK(slowdown_of(samples).low == 1.0);
  CHECK(slowdown_of(samples).high == 7.0);
  add(9);
  CHECK(slowdown_of(samples).low == 2.0);
  CHECK(slowdown_of(samples).high == 8.0);
  add(20);
  CHECK(slowdown_of(samples).low == 6.0);
  CHECK(slowdown_of(samples).high == 15.0);
  CHECK(slowdown_of(samples).median == 10.5);
}
