#include "policies/lb_bsp.hpp"

#include <array>
#include <cmath>

#include "policies/oracle.hpp"
#include "tests/catch.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

// Two workers without overhead, of 100 samples each at the start.
constexpr double per_sample = 0.001;

std::int64_t second_after(Policy& policy, Decision& decision, double slowness) {
  const std::vector<double> times{
      per_sample * static_cast<double>(decision.local_batches[0].count()),
      per_sample * slowness * static_cast<double>(decision.local_batches[1].count())};
  decision = policy.after_steps(steps_with_times(decision, times)).value_or(decision);
  return decision.local_batches[1].count();
}

}  // namespace

TEST_CASE("after one step LB-BSP divides by the speeds that step showed", "[lb-bsp]") {
  const ClusterView cluster = unknown_cluster(3, 130);
  const std::unique_ptr<Policy> policy = make_lb_bsp();
  const Decision first = policy->start(cluster);
  CHECK(counts_of(first.local_batches) == Whole{44, 43, 43});
  // Speeds 440, 430 and 430 / 10 samples a second.
  const auto next = policy->after_steps(steps_with_times(first, {0.1, 0.1, 1.0}));
  REQUIRE(next);
  CHECK(counts_of(next->local_batches) == Whole{63, 61, 6});
}

TEST_CASE("a moving average forgets as (1 - newest)^k, the last value at once", "[lb-bsp]") {
  // The second worker halves its speed: 1 of 2 before, 1 of 3 in the end.
  const ClusterView cluster = unknown_cluster(2, 200);
  for (const double newest : {0.3, 0.5, 1.0}) {
    const std::unique_ptr<Policy> policy = make_lb_bsp({.newest = newest});
    Decision decision = policy->start(cluster);
    CHECK(second_after(*policy, decision, 1.0) == 100);
    for (int k = 1; k <= 12; ++k) {
      const double speed = 0.5 + 0.5 * std::pow(1.0 - newest, k);
      CHECK(second_after(*policy, decision, 2.0) == std::llround(200.0 * speed / (1.0 + speed)));
    }
  }
  const std::unique_ptr<Policy> last =
      make_lb_bsp({.predictor = LbBspPredictor::last, .newest = 0.3});
  Decision decision = last->start(cluster);
  CHECK(second_after(*last, decision, 1.0) == 100);
  CHECK(second_after(*last, decision, 2.0) == 67);
}

TEST_CASE("ARIMA runs ahead of a speed that keeps falling", "[lb-bsp]") {
  const ClusterView cluster = unknown_cluster(2, 2'000'000);
  const std::unique_ptr<Policy> policy = make_lb_bsp({.predictor = LbBspPredictor::arima});
  Decision decision = policy->start(cluster);
  // Relative speeds 1, 0.9, 0.8, 0.7: the changes repeat, so 0.6 is next.
  std::int64_t share = 0;
  for (const double speed : {1.0, 0.9, 0.8, 0.7}) {
    share = second_after(*policy, decision, 1.0 / speed);
  }
  CHECK(share == Approx(2e6 * 0.6 / 1.6).epsilon(1e-5));
}

TEST_CASE("the rule for GPUs is balanced from the start, and after one step of a slower card",
          "[lb-bsp]") {
  const ClusterView cluster = cluster_of(lbb_lines(), 512);
  const std::unique_ptr<Policy> policy =
      make_lb_bsp({.rule = LbBspRule::gpu, .predictor = LbBspPredictor::last});
  const Decision first = policy->start(cluster);
  const Whole best = counts_of(make_oracle()->start(cluster).local_batches);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(std::abs(first.local_batches[i].count() - best[i]) <= 1);
  }
  // Card 0 takes twice as long from now on, overhead included: the oracle of that cluster.
  std::vector<Line> slower = lbb_lines();
  slower[0] = {2.0 * slower[0].overhead, 2.0 * slower[0].per_sample};
  const ClusterView changed = cluster_of(slower, 512);
  const auto next = policy->after_steps(steps_of(changed, first, 1));
  REQUIRE(next);
  const Whole wanted = counts_of(make_oracle()->start(changed).local_batches);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(std::abs(next->local_batches[i].count() - wanted[i]) <= 1);
  }
}

TEST_CASE("a device that is not busy yet gets what is free for it", "[lb-bsp]") {
  // The first takes 0.1 s for anything up to 100 samples, the second 2 ms a sample: of 140, 100 and
  // 40 would make them 0.1 and 0.08 s.
  ClusterView cluster = unknown_cluster(2, 140);
  const auto measured = [](const std::vector<std::pair<std::int64_t, double>>& from) {
    std::vector<StepTimePoint> points;
    points.reserve(from.size());
    for (const auto& [batch, time] : from) points.push_back({Samples{batch}, Seconds{time}});
    return StepTimeCurve{points};
  };
  cluster.workers[0].nominal =
      measured({{20, 0.1}, {60, 0.1}, {100, 0.1}, {150, 0.15}, {200, 0.2}, {250, 0.25}});
  cluster.workers[1].nominal = measured({{10, 0.02}, {50, 0.1}, {100, 0.2}});
  const Decision first = make_lb_bsp({.rule = LbBspRule::gpu})->start(cluster);
  CHECK(slowest_step(cluster, first) <= 0.1 * (1.0 + 1e-6));
}

TEST_CASE("the rule for GPUs needs profiles, and says so", "[lb-bsp]") {
  const ClusterView cluster = unknown_cluster(2, 10);
  const std::unique_ptr<Policy> policy = make_lb_bsp({.rule = LbBspRule::gpu});
  CHECK(message_of<std::invalid_argument>([&] { (void)policy->start(cluster); }) ==
        "a profile for worker \"w0\"");
}

TEST_CASE("with halving, each turn makes later moves half as large", "[lb-bsp]") {
  const ClusterView cluster = unknown_cluster(2, 2'000'000);
  const std::unique_ptr<Policy> policy =
      make_lb_bsp({.predictor = LbBspPredictor::last, .halving = true});
  Decision decision = policy->start(cluster);
  double pace = 1.0;
  double expected = 1e6;
  for (int step = 0; step < 12; ++step) {
    const double slowness = step % 2 == 0 ? 3.0 : 1.0;  // a quarter of all, then half
    if (step > 0) pace *= 0.5;
    const double wanted = 2e6 / (1.0 + slowness);
    expected += pace * (wanted - expected);
    CHECK(static_cast<double>(second_after(*policy, decision, slowness)) ==
          Approx(expected).margin(4.0));
  }
}

TEST_CASE("partial last steps are not taken for speed", "[lb-bsp]") {
  const ClusterView cluster = unknown_cluster(2, 200);
  const std::unique_ptr<Policy> policy = make_lb_bsp();
  const Decision first = policy->start(cluster);
  std::vector<Measurement> partial = steps_with_times(first, {0.1, 9.0});
  for (Measurement& measured : partial) measured.samples = Samples{3};
  CHECK_FALSE(policy->after_steps(partial));
}
