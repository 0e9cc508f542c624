#include "sim/engine/training.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/support/clusters.hpp"

using namespace dbsim;
using namespace std::chrono_literals;

namespace {

// Two workers, 10 and 30 ms a step at 10 samples each; 4 steps of 20 samples; 5 ms to synchronise.
Setup two_cards() {
  return test::setup_of(
      {{"fast", Seconds{0}, Seconds{0.001}}, {"slow", Seconds{0}, Seconds{0.003}}},
      {.samples = 80, .global_batch = 20, .epochs = 1}, Seconds{0.005});
}

}  // namespace

TEST_CASE("a step lasts as long as its slowest worker and the synchronisation", "[training]") {
  const RunTrace trace = test::run(two_cards(), "fixed");
  CHECK(trace.total() == 4 * 35ms);
  const std::vector<WorkerEpoch>& workers = trace.epochs.front().workers;
  CHECK(workers[0].own == 40ms);
  CHECK(workers[0].wait == 80ms);
  CHECK(workers[0].communication == 20ms);
  CHECK(workers[1].own == 120ms);
  CHECK(workers[1].wait == 0ms);
}

TEST_CASE("H local steps between averages cost one synchronisation and one wait", "[training]") {
  Setup setup = two_cards();
  setup.steps_between_syncs = 2;
  CHECK(test::run(setup, "fixed").total() == 2 * 65ms);
  setup.steps_between_syncs.reset();
  CHECK(test::run(setup, "fixed").total() == 125ms);
  setup.steps_between_syncs = 3;  // 3 steps, then the one that is left
  CHECK(test::run(setup, "fixed").total() == 95ms + 35ms);
}

TEST_CASE("a last partial step is as short as its samples", "[training]") {
  Setup setup = two_cards();
  setup.view.epoch_samples = Samples{90};
  CHECK(test::run(setup, "fixed").total() == 4 * 35ms + 15ms + 5ms);
}

TEST_CASE("interference slows the very part of a step that it covers", "[training]") {
  Setup setup = two_cards();
  setup.interference.push_back(
      {.worker = 1, .factor = 0.5, .delay = {}, .from = Seconds{0.010}, .to = Seconds{0.030}});
  // 10 ms at full speed, 20 ms at half, the last 10 ms of work at full speed: 40 ms.
  CHECK(test::run(setup, "fixed").total() == 4 * 35ms + 10ms);
}

TEST_CASE("interference named by epochs holds for whole epochs", "[training]") {
  Setup setup = two_cards();
  setup.epochs = 4;
  setup.interference.push_back(
      {.worker = 1, .factor = 0.5, .delay = {}, .from = EpochStart{1}, .to = EpochStart{3}});
  const RunTrace trace = test::run(setup, "fixed");
  const auto length = [&](std::size_t epoch) {
    return trace.epochs[epoch].end - trace.epochs[epoch].begin;
  };
  CHECK(length(0) == 4 * 35ms);
  CHECK(length(1) == 4 * 65ms);
  CHECK(length(2) == 4 * 65ms);
  CHECK(length(3) == 4 * 35ms);
}

TEST_CASE("two tasks on one device multiply, and each ends on its own", "[training]") {
  Setup setup = two_cards();
  setup.epochs = 3;
  setup.interference.push_back(
      {.worker = 1, .factor = 0.5, .delay = {}, .from = EpochStart{0}, .to = EpochStart{2}});
  setup.interference.push_back(
      {.worker = 1, .factor = 0.5, .delay = {}, .from = EpochStart{1}, .to = std::nullopt});
  const RunTrace trace = test::run(setup, "fixed");
  CHECK(trace.epochs[0].workers[1].own == 240ms);
  CHECK(trace.epochs[1].workers[1].own == 480ms);
  CHECK(trace.epochs[2].workers[1].own == 240ms);
}

TEST_CASE("a delay adds to every step, however slow the device is", "[training]") {
  Setup setup = two_cards();
  setup.interference.push_back(
      {.worker = 1, .factor = 0.5, .delay = {}, .from = EpochStart{0}, .to = std::nullopt});
  setup.interference.push_back({.worker = 1,
                                .factor = 1.0,
                                .delay = Seconds{0.007},
                                .from = EpochStart{0},
                                .to = std::nullopt});
  CHECK(test::run(setup, "fixed").epochs[0].workers[1].own == 4 * 67ms);
}

TEST_CASE("interference that leaves all speed changes no byte of the run", "[training]") {
  Setup setup = two_cards();
  for (WorkerSetup& worker : setup.workers) worker.sigma = 0.1;
  const RunTrace quiet = test::run(setup, "dbs");
  setup.interference.push_back(
      {.worker = 0, .factor = 1.0, .delay = {}, .from = Seconds{0.02}, .to = Seconds{5.0}});
  CHECK(test::run(setup, "dbs").total() == quiet.total());
}

TEST_CASE("noise is drawn per worker: slowing one moves no draw of another", "[training]") {
  Setup setup = two_cards();
  setup.workers[0].sigma = 0.1;
  setup.workers[1].sigma = 0.1;
  const RunTrace quiet = test::run(setup, "fixed");
  setup.interference.push_back(
      {.worker = 1, .factor = 0.3, .delay = {}, .from = EpochStart{0}, .to = std::nullopt});
  const RunTrace noisy = test::run(setup, "fixed");
  CHECK(noisy.epochs[0].workers[0].own == quiet.epochs[0].workers[0].own);
  CHECK(noisy.epochs[0].workers[1].own > quiet.epochs[0].workers[1].own);
}

TEST_CASE("the noise of steps has the median 1 and the spread it was given", "[training]") {
  Setup setup = test::setup_of({{"only", Seconds{0}, Seconds{0.001}, 0.2}},
                               {.samples = 200'000, .global_batch = 10, .epochs = 1}, Seconds{0});
  const RunTrace trace = test::run(setup, "fixed");
  const double mean = to_seconds(trace.epochs[0].workers[0].own).count() / 20'000.0;
  // Mean of a log-normal of median m and sigma s: m exp(s^2/2); its error here is about 0.14 %.
  CHECK(mean == Approx(0.010 * std::exp(0.02)).epsilon(0.006));
}

TEST_CASE("unequal step counts are a deadlock that says who waits for whom", "[training]") {
  class Uneven : public Policy {
   public:
    Decision start(const ClusterView&) override {
      Decision decision;
      decision.local_batches = {Samples{10}, Samples{10}};
      decision.slices = {Samples{40}, Samples{20}};
      return decision;
    }
    std::unique_ptr<Policy> clone() const override { return std::make_unique<Uneven>(*this); }
  };
  const Setup setup = two_cards();
  const RunTrace trace = simulate(setup, std::make_unique<Uneven>(), RandomStreams{1});
  REQUIRE(trace.deadlocks.size() == 1);
  CHECK(trace.deadlocks[0].waiting == std::vector<std::size_t>{0});
  CHECK(trace.deadlocks[0].missing == std::vector<std::size_t>{1});
  CHECK(trace.deadlocks[0].step == 2);
  CHECK(trace.deadlocks[0].at == Instant{2 * 35ms + 10ms});
  CHECK(trace.total() == 2 * 35ms + 2 * 15ms);  // the rest as if the missing worker had joined
}

TEST_CASE("a copy of a training under way has the same future", "[training]") {
  RandomStream random = RandomStreams{3}.stream("copies");
  for (int round = 0; round < 50; ++round) {
    const Setup setup = test::random_setup(random);
    Training original{setup, test::policy("dbs"), RandomStreams{9}};
    const std::int64_t events = random.whole(0, 200);
    for (std::int64_t i = 0; i < events; ++i) original.advance();
    Training copy = original;
    while (!original.finished()) original.advance();
    CHECK(copy.finished() ==
          (copy.now() == original.now() && copy.trace().events == original.trace().events));
    while (!copy.finished()) copy.advance();
    CHECK(copy.trace().total() == original.trace().total());
    CHECK(copy.trace().events == original.trace().events);
  }
}

TEST_CASE("a run that would last for centuries is given up, with the worker that holds it up",
          "[training]") {
  Setup setup = two_cards();
  for (int i = 0; i < 5; ++i) {
    setup.interference.push_back(
        {.worker = 1, .factor = 1e-6, .delay = {}, .from = Seconds{0.01 * i}, .to = std::nullopt});
  }
  CHECK_THROWS_WITH(test::run(setup, "fixed"),
                    "slow is still in epoch 0 after 100 simulated years");
}
