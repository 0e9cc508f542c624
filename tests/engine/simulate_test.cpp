#include "sim/engine/simulate.hpp"

#include <stdexcept>

#include "tests/catch.hpp"
#include "tests/support/clusters.hpp"

using namespace dbsim;

namespace {

Setup noisy_setup() {
  return test::setup_of(
      {{"a", Seconds{0.002}, Seconds{0.001}, 0.1}, {"b", Seconds{0.004}, Seconds{0.003}, 0.1}},
      {.samples = 900, .global_batch = 60, .epochs = 3}, Seconds{0.004});
}

std::vector<RunTask> tasks(std::size_t count) {
  std::vector<RunTask> list;
  for (std::size_t i = 0; i < count; ++i) {
    list.push_back({[] { return test::policy("dbs"); }, RandomStreams{4}.repeat(i)});
  }
  return list;
}

}  // namespace

TEST_CASE("the number of threads changes nothing but the time it takes", "[threads][simulate]") {
  const Setup setup = noisy_setup();
  const std::vector<RunTask> list = tasks(23);
  const auto alone = simulate_all(setup, list, 1);
  for (const std::size_t threads : {2U, 3U, 7U, 64U}) {
    const auto together = simulate_all(setup, list, threads);
    for (std::size_t i = 0; i < list.size(); ++i) {
      REQUIRE(together[i].has_value());
      CHECK(together[i]->total() == alone[i]->total());
      CHECK(together[i]->events == alone[i]->events);
    }
  }
}

TEST_CASE("a stop request gives up runs under way and begins no other", "[threads][simulate]") {
  const Setup setup = noisy_setup();
  std::stop_source stop;
  const auto traces = simulate_all(setup, tasks(200), 2, {stop.get_token(), [&](std::size_t done) {
                                                            if (done >= 10) stop.request_stop();
                                                          }});
  std::size_t complete = 0;
  for (const auto& trace : traces) complete += trace.has_value() ? 1 : 0;
  CHECK(complete >= 9);
  CHECK(complete <= 20);
}

TEST_CASE("a failure in one run reaches the caller", "[threads][simulate]") {
  const Setup setup = noisy_setup();
  std::vector<RunTask> list = tasks(8);
  list[5].make_policy = []() -> std::unique_ptr<Policy> {
    throw std::runtime_error{"no such policy"};
  };
  CHECK_THROWS_WITH(simulate_all(setup, list, 3), "no such policy");
}

TEST_CASE("batches outside the measured range are said to be extrapolated", "[simulate]") {
  Setup setup = noisy_setup();
  setup.workers[0].step_time =
      StepTimeCurve{{{Samples{8}, Seconds{0.01}}, {Samples{16}, Seconds{0.02}}}};
  const auto warnings = warnings_about(setup, test::run(setup, "fixed"));
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0] ==
        "a: local batches of 30 to 30 reach beyond the profile's 8 to 16; step times there are "
        "extrapolated");
}
