#include "calib/measure/memory_limit.hpp"

#include "tests/calib/support/simulated_machine.hpp"
#include "tests/catch.hpp"

using namespace dbsim::calib;
using namespace dbsim::calib::test;

namespace {

const auto always = [] { return true; };
const auto never = [] { return false; };

MachineTraits room_for(std::int64_t batch) {
  MachineTraits traits;
  traits.largest_batch = batch;
  return traits;
}

}  // namespace

TEST_CASE("the limit is found to the sample while time allows", "[memory]") {
  for (const std::int64_t limit : {0, 1, 2, 99, 100, 511}) {
    SimulatedMachine machine{room_for(limit), 1};
    SimulatedRunner runner{machine};
    const MemoryLimit found =
        find_memory_limit(runner, {.highest = 512, .may_go_on = always, .stop = never});
    CHECK(found.fits == limit);
    CHECK(found.exact());
    CHECK(runner.prepared.size() <= 10);  // 1 + log2(512)
  }
}

TEST_CASE("the limit is found to a sixteenth when time does not allow more", "[memory]") {
  for (const std::int64_t limit : {1, 7, 1000, 54321, 1000000}) {
    SimulatedMachine machine{room_for(limit), 1};
    SimulatedRunner runner{machine};
    const MemoryLimit found =
        find_memory_limit(runner, {.highest = 1 << 20, .may_go_on = never, .stop = never});
    CHECK(found.fits <= limit);
    REQUIRE(found.fails);
    CHECK(*found.fails > limit);
    CHECK((found.exact() || 16 * (*found.fails - found.fits) <= found.fits));
  }
}

TEST_CASE("where the highest batch fits, nothing is known of the limit", "[memory]") {
  SimulatedMachine machine{room_for(512), 1};
  SimulatedRunner runner{machine};
  const MemoryLimit found =
      find_memory_limit(runner, {.highest = 512, .may_go_on = always, .stop = never});
  CHECK(found == MemoryLimit{.fits = 512, .fails = {}});
  CHECK(runner.prepared.size() == 1);
}

TEST_CASE("a search that is stopped says what it knows", "[memory]") {
  SimulatedMachine machine{room_for(100), 1};
  SimulatedRunner runner{machine};
  const MemoryLimit found = find_memory_limit(
      runner,
      {.highest = 512, .may_go_on = always, .stop = [&] { return runner.prepared.size() >= 3; }});
  CHECK(found == MemoryLimit{.fits = 0, .fails = 128});
}
