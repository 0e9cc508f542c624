// Policies that decide within an epoch, what a change costs, and what policies are shown.
#include <algorithm>
#include <functional>
#include <utility>

#include "sim/base/check.hpp"
#include "sim/engine/training.hpp"
#include "tests/catch.hpp"
#include "tests/support/clusters.hpp"

using namespace dbsim;
using namespace std::chrono_literals;

namespace {

using Measurements = std::vector<Measurement>;
using Rule = std::function<std::optional<Decision>(const Measurements&)>;

// Does every so many steps what a test says; keeps what it was shown.
class Scripted : public Policy {
 public:
  Scripted(std::int64_t every, Decision first, Rule rule,
           std::vector<Measurements>* shown = nullptr)
      : every_{every}, first_{std::move(first)}, rule_{std::move(rule)}, shown_{shown} {}
  Decision start(const ClusterView&) override { return first_; }
  std::optional<std::int64_t> steps_between_decisions() const override { return every_; }
  std::optional<Decision> after_steps(std::span<const Measurement> steps) override {
    Measurements seen(steps.begin(), steps.end());
    if (shown_ != nullptr) shown_->push_back(seen);
    return rule_(seen);
  }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<Scripted>(*this); }

 private:
  std::int64_t every_;
  Decision first_;
  Rule rule_;
  std::vector<Measurements>* shown_;
};

Decision batches(std::int64_t first, std::int64_t second) {
  return {.local_batches = {Samples{first}, Samples{second}}};
}

// Two workers, 1 and 3 ms a sample; 5 ms to synchronise.
Setup two_cards(std::int64_t samples, std::int64_t epochs = 1) {
  return test::setup_of(
      {{"fast", Seconds{0}, Seconds{0.001}}, {"slow", Seconds{0}, Seconds{0.003}}},
      {.samples = samples, .global_batch = 20, .epochs = epochs}, Seconds{0.005});
}

std::optional<Decision> nothing(const Measurements&) { return std::nullopt; }

// Once, after the first call.
Rule once(const Decision& decision) {
  return [decision, done = false](const Measurements&) mutable -> std::optional<Decision> {
    if (std::exchange(done, true)) return std::nullopt;
    return decision;
  };
}

RunTrace run_scripted(const Setup& setup, std::int64_t every, const Rule& rule,
                      const PolicyTerms& terms = {}, std::vector<Measurements>* shown = nullptr) {
  return simulate(setup, std::make_unique<Scripted>(every, batches(10, 10), rule, shown),
                  RandomStreams{1}, terms);
}

}  // namespace

TEST_CASE("a decision within an epoch holds from the next step on", "[deciding]") {
  // One step at 10/10: 30 ms; three at 15/5: 15 ms. Each with 5 ms of exchange.
  const RunTrace trace = run_scripted(two_cards(80), 1, once(batches(15, 5)));
  CHECK(trace.total() == 35ms + 3 * 20ms);
  const EpochTrace& epoch = trace.epochs.front();
  CHECK(epoch.resizings == 1);
  CHECK(epoch.rebalancing == 0ms);
  CHECK(epoch.workers[0].samples == Samples{55});
  CHECK(epoch.workers[1].samples == Samples{25});
  CHECK(epoch.workers[0].batch == Samples{15});
  CHECK(epoch.workers[0].smallest_batch == Samples{10});
  CHECK(epoch.workers[0].weight == Approx((0.5 + 3 * 0.75) / 4));
  CHECK(epoch.workers[0].own == 10ms + 3 * 15ms);
  CHECK(epoch.workers[0].wait == 20ms);
}

TEST_CASE("a policy that decides by steps and changes nothing changes no nanosecond",
          "[deciding]") {
  RandomStream random = RandomStreams{31}.stream("nothing");
  for (int round = 0; round < 200; ++round) {
    const Setup setup = test::random_setup(random);
    const Decision first = test::policy("fixed")->start(setup.view);
    const RunTrace idle =
        simulate(setup, std::make_unique<Scripted>(random.whole(1, 4), first, nothing),
                 RandomStreams{1}, {.rebalance_cost = Seconds{9.0}});
    const RunTrace fixed = test::run(setup, "fixed");
    REQUIRE(idle.total() == fixed.total());
    REQUIRE(idle.events == fixed.events);
    REQUIRE(idle.epochs.back().workers.back().own == fixed.epochs.back().workers.back().own);
  }
}

TEST_CASE("it is asked after so many steps, and at the end of each epoch", "[deciding]") {
  std::vector<Measurements> shown;
  // 7 whole steps and one of 10 samples, 5 on each.
  (void)run_scripted(two_cards(150, 2), 3, nothing, {}, &shown);
  REQUIRE(shown.size() == 6);
  for (std::size_t call : {0U, 3U}) {
    CHECK(shown[call][1].steps == 3);
    CHECK(shown[call][1].samples == Samples{30});
    CHECK(shown[call][1].own.count() == Approx(0.090));
    CHECK(shown[call][0].wait.count() == Approx(0.060));
    CHECK(shown[call + 2][1].steps == 2);
    CHECK(shown[call + 2][1].samples == Samples{15});
    CHECK(shown[call + 2][1].own.count() == Approx(0.045));
  }
}

TEST_CASE("between averages of parameters nobody decides", "[deciding]") {
  Setup setup = two_cards(160);
  setup.steps_between_syncs = 3;  // of 8 steps: after 3, 6 and 8
  std::vector<Measurements> shown;
  (void)run_scripted(setup, 1, nothing, {}, &shown);
  REQUIRE(shown.size() == 3);
  CHECK(shown[1][0].steps == 3);
  CHECK(shown[2][0].steps == 2);
}

TEST_CASE("every change costs what the scenario says, and nothing else does", "[deciding]") {
  const PolicyTerms terms{.rebalance_cost = Seconds{0.25}};
  const RunTrace within = run_scripted(two_cards(80), 1, once(batches(15, 5)), terms);
  CHECK(within.total() == 35ms + 3 * 20ms + 250ms);
  CHECK(within.epochs[0].rebalancing == 250ms);
  // Decided at the last step of epoch 0: the second epoch begins with the pause.
  const RunTrace between = run_scripted(two_cards(20, 2), 1, once(batches(15, 5)), terms);
  CHECK(between.total() == 35ms + 250ms + 20ms);
  CHECK(between.epochs[0].rebalancing == 0ms);
  CHECK(between.epochs[1].rebalancing == 250ms);
  CHECK(between.epochs[1].resizings == 1);
  // DBS on workers without overhead: balanced after the first epoch, one change.
  const RunTrace dbs = simulate(two_cards(80, 5), test::policy("dbs"), RandomStreams{1}, terms);
  CHECK(dbs.total() == 4 * 35ms + 250ms + 4 * 4 * 20ms);
}

TEST_CASE("the same batches under other weights are no change of batches", "[deciding]") {
  Decision weighted = batches(10, 10);
  weighted.weights = {0.9, 0.1};
  const RunTrace trace = run_scripted(two_cards(80), 1, once(weighted), {Seconds{1.0}});
  CHECK(trace.total() == 4 * 35ms);
  CHECK(trace.epochs[0].resizings == 0);
  CHECK(trace.epochs[0].workers[0].weight == Approx((0.5 + 3 * 0.9) / 4));
}

TEST_CASE("whoever times the whole step sees everybody equally fast, and DBS never moves",
          "[deciding]") {
  const PolicyTerms wall{.timing = Timing::observed};
  std::vector<Measurements> shown;
  (void)run_scripted(two_cards(80), 1, nothing, wall, &shown);
  for (const Measurement& measured : shown.front()) {
    CHECK(measured.own.count() == Approx(0.035));
    CHECK(measured.wait.count() == 0.0);
    CHECK(measured.communication.count() == 0.0);
  }
  RandomStream random = RandomStreams{32}.stream("observed");
  for (int round = 0; round < 100; ++round) {
    Setup setup = test::random_setup(random);
    setup.view.epoch_samples = Samples{setup.view.global_batch.count() * 4};
    const RunTrace blind = simulate(setup, test::policy("dbs"), RandomStreams{1}, wall);
    REQUIRE(blind.total() == test::run(setup, "fixed").total());
  }
}

TEST_CASE("samples are conserved whatever a policy does at every step", "[deciding]") {
  RandomStream random = RandomStreams{33}.stream("restless");
  for (int round = 0; round < 500; ++round) {
    const Setup setup = test::random_setup(random);
    const std::size_t workers = setup.workers.size();
    RandomStream whims = RandomStreams{34}.stream("whims", std::to_string(round));
    const auto any = [&whims, workers](const Measurements&) -> std::optional<Decision> {
      if (whims.uniform() < 0.2) return std::nullopt;
      Decision decision;
      for (std::size_t i = 0; i < workers; ++i) {
        decision.local_batches.emplace_back(whims.whole(i == 0 ? 1 : 0, 80));
      }
      return decision;
    };
    const Span cost = std::chrono::milliseconds{random.whole(0, 3)};
    const RunTrace trace =
        simulate(setup,
                 std::make_unique<Scripted>(random.whole(1, 3),
                                            test::policy("fixed")->start(setup.view), any),
                 RandomStreams{1}, {.rebalance_cost = to_seconds(cost)});
    for (const EpochTrace& epoch : trace.epochs) {
      std::int64_t samples = epoch.lost.count();
      double weight = 0.0;
      for (const WorkerEpoch& worker : epoch.workers) {
        samples += worker.samples.count();
        weight += worker.weight;
        REQUIRE(worker.own + worker.communication + worker.wait + epoch.rebalancing ==
                epoch.end - epoch.begin);
        REQUIRE(worker.smallest_batch <= worker.largest_batch);
      }
      REQUIRE(samples == setup.view.epoch_samples.count());
      REQUIRE(weight == Approx(1.0).epsilon(1e-12));
      REQUIRE(epoch.rebalancing == epoch.resizings * cost);
      if (setup.last_batch == LastBatch::keep) REQUIRE(epoch.lost.count() == 0);
    }
  }
}

TEST_CASE("interference that begins while everybody stands still slows what follows",
          "[deciding]") {
  Setup setup = two_cards(80);
  setup.interference.push_back(
      {.worker = 1, .factor = 0.5, .delay = {}, .from = Seconds{0.1}, .to = std::nullopt});
  const RunTrace trace = run_scripted(setup, 1, once(batches(15, 5)), {Seconds{0.25}});
  CHECK(trace.total() == 35ms + 250ms + 3 * (30ms + 5ms));
}

TEST_CASE("a copy of a training that decides by steps has the same future", "[deciding]") {
  const Setup setup = two_cards(200, 3);
  const auto rule = [](const Measurements& seen) -> std::optional<Decision> {
    return seen[0].batch == Samples{10} ? batches(15, 5) : batches(10, 10);
  };
  for (int events = 0; events < 60; ++events) {
    dbsim::Training original{setup,
                             std::make_unique<Scripted>(2, batches(10, 10), rule),
                             RandomStreams{9},
                             {.rebalance_cost = Seconds{0.01}}};
    for (int i = 0; i < events; ++i) original.advance();
    dbsim::Training copy = original;
    while (!original.finished()) original.advance();
    while (!copy.finished()) copy.advance();
    REQUIRE(copy.trace().total() == original.trace().total());
    REQUIRE(copy.trace().events == original.trace().events);
  }
}

TEST_CASE("who decides within an epoch cannot deal slices of it", "[deciding]") {
  Decision sliced = batches(15, 5);
  sliced.slices = {Samples{40}, Samples{40}};
  CHECK_THROWS_AS(run_scripted(two_cards(80), 1, once(sliced)), BrokenAssumption);
}
