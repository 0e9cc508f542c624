#include "calib/measure/visit.hpp"

#include "tests/calib/support/simulated_machine.hpp"
#include "tests/catch.hpp"

using namespace dbsim::calib;
using namespace dbsim::calib::test;

TEST_CASE("as many steps are timed as fill the visit, between 2 and 50", "[visit]") {
  CHECK(timed_steps(0.3, 0.1) == 3);
  CHECK(timed_steps(0.3, 10.0) == 2);
  CHECK(timed_steps(0.3, 1e-6) == 50);
  CHECK(timed_steps(0.3, 0.0) == 50);
}

TEST_CASE("a visit times steps after its warm-ups and says when buckets were ready", "[visit]") {
  SimulatedMachine machine{{}, 1};
  SimulatedRunner runner{machine};
  REQUIRE(runner.prepare(92));  // 50 ms a step
  const double begin = machine.now();
  const auto done = visit(runner, {.warm_ups = 3, .timed_s = 0.2, .stop = [] { return false; }});
  REQUIRE(done);
  CHECK(done->steps.size() >= 4);
  CHECK(machine.now() - begin > 0.05 * static_cast<double>(done->steps.size() + 2));
  REQUIRE(done->ready.size() == 2);
  CHECK(done->ready[0] == Approx(0.25));
  CHECK(done->ready[1] == Approx(1.0));
  CHECK(done->clock_hz == 1.5e9);
  CHECK_FALSE(done->throttled);
}

TEST_CASE("a visit that is stopped between steps is none", "[visit]") {
  SimulatedMachine machine{{}, 1};
  SimulatedRunner runner{machine};
  REQUIRE(runner.prepare(8));
  for (const int steps : {0, 1, 3, 5}) {
    int asked = 0;
    CHECK_FALSE(
        visit(runner, {.warm_ups = 2, .timed_s = 0.3, .stop = [&] { return asked++ == steps; }})
            .has_value());
  }
}
