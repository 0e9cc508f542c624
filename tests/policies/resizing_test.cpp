// What every policy of the catalog must hold, however it decides.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "policies/catalog.hpp"
#include "policies/oracle.hpp"
#include "tests/catch.hpp"
#include "tests/policies/fuzzing.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

struct Kept {  // a policy whose rule keeps the sum and the limits
  std::string name;
  Parameters parameters;
};

std::string text(const std::string& word) { return word; }

// Every rule, with every choice that keeps the sum; dead-bands shut, so that it goes to its end.
std::vector<Kept> all_kept() {
  return {{"proportional", {}},
          {"virtual-workers", {{"local_batch", std::int64_t{1}}}},
          {"dbs", {}},
          {"dbs", {{"newest", 0.5}}},
          {"omnilearn", {{"dead_band", 0.0}}},
          {"proportional-controller", {{"dead_band", 0.0}}},
          {"lb-bsp", {}},
          {"lb-bsp", {{"predictor", text("last")}}},
          {"lb-bsp", {{"predictor", text("arima")}}},
          {"lb-bsp", {{"rule", text("gpu")}}},
          {"lbb", {}},
          {"lbb", {{"start", text("equal")}}},
          {"oracle", {}}};
}

std::unique_ptr<Policy> make(const Kept& kept) {
  const auto kind = std::ranges::find(catalog(), kept.name, &PolicyKind::name);
  REQUIRE(kind != catalog().end());
  return kind->make(kept.parameters);
}

// Steady: no noise. Decisions of both kinds, over epochs or steps of the same measurement.
Decision settled(Policy& policy, const ClusterView& cluster, int calls) {
  Decision decision = policy.start(cluster);
  for (int call = 0; call < calls; ++call) {
    decision = next_of(policy, steps_of(cluster, decision, 1), decision);
  }
  return decision;
}

// Overheads of up to 30 % of the balanced step time, so that a batch rounded by half a sample moves
// the fixed point of a proportional rule by less than one.
std::vector<Line> steady_lines(RandomStream& random, std::size_t workers) {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < workers; ++i) {
    lines.push_back({0.03 * random.uniform(), 1e-3 * random.lognormal(0.5)});
  }
  return lines;
}

int failures(const Kept& kept, std::size_t most_workers) {
  RandomStream random = RandomStreams{83}.stream("fuzz", kept.name);
  int wrong = 0;
  const bool many = most_workers > 1'000;
  const int trials = many ? 1 : 150;
  const int calls = many ? 6 : 20;
  for (int trial = 0; trial < trials; ++trial) {
    const auto most = static_cast<std::int64_t>(most_workers);
    const auto workers = static_cast<std::size_t>(many ? most : random.whole(1, most));
    ClusterView cluster = fuzzed_cluster(random, workers);
    give_profiles(random, cluster);
    const std::unique_ptr<Policy> policy = make(kept);
    Decision decision = policy->start(cluster);
    wrong += keeps_limits(cluster, decision) ? 0 : 1;
    for (int call = 0; call < calls; ++call) {
      const std::vector<Measurement> measured = fuzzed(random, decision);
      const std::unique_ptr<Policy> copy = policy->clone();
      const Decision before = decision;
      decision = next_of(*policy, measured, before);
      wrong += keeps_limits(cluster, decision) ? 0 : 1;
      wrong += next_of(*copy, measured, before) == decision ? 0 : 1;
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("on a steady cluster every policy settles within one sample of the oracle",
          "[resizing]") {
  for (const Kept& kept : all_kept()) {
    if (kept.name == "proportional") continue;        // a profile at one batch is all it knows
    if (kept.parameters.contains("start")) continue;  // LBB leaves alone what is balanced to 5 %
    RandomStream random = RandomStreams{84}.stream("steady");
    for (int trial = 0; trial < 40; ++trial) {
      const auto workers = static_cast<std::size_t>(random.whole(1, 12));
      const ClusterView cluster =
          cluster_of(steady_lines(random, workers), 120 * static_cast<std::int64_t>(workers));
      const Whole best = counts_of(make_oracle()->start(cluster).local_batches);
      const Whole found = counts_of(settled(*make(kept), cluster, 60).local_batches);
      INFO(kept.name << " " << kept.parameters.size() << ", trial " << trial);
      std::int64_t furthest = 0;
      for (std::size_t i = 0; i < workers; ++i) {
        furthest = std::max(furthest, std::abs(found[i] - best[i]));
      }
      CHECK(furthest <= 1);
    }
  }
}

TEST_CASE("LBB that starts equal settles where step times differ by less than 5 %", "[resizing]") {
  RandomStream random = RandomStreams{84}.stream("steady", "lbb");
  const Kept equal{"lbb", {{"start", text("equal")}}};
  for (int trial = 0; trial < 100; ++trial) {
    const auto workers = static_cast<std::size_t>(random.whole(1, 12));
    const ClusterView cluster =
        cluster_of(steady_lines(random, workers), 240 * static_cast<std::int64_t>(workers));
    const Decision found = settled(*make(equal), cluster, 300);
    const double best = slowest_step(cluster, make_oracle()->start(cluster));
    CHECK(slowest_step(cluster, found) <= 1.05 * best);
  }
}

TEST_CASE("no measurement makes a policy break sum, limits, or decide otherwise a second time",
          "[resizing][fuzz]") {
  for (const Kept& kept : all_kept()) {
    INFO(kept.name << " " << kept.parameters.size());
    CHECK(failures(kept, 40) == 0);
    CHECK(failures(kept, 10'000) == 0);
  }
}

TEST_CASE("the authors' programs, too, decide only what can be carried out", "[resizing][fuzz]") {
  const std::vector<Kept> programs{{"omnilearn", {{"mode", text("code")}}},
                                   {"lbb", {{"mode", text("code")}}}};
  for (const Kept& kept : programs) {
    RandomStream random = RandomStreams{85}.stream("programs", kept.name);
    int wrong = 0;
    for (int trial = 0; trial < 100; ++trial) {
      ClusterView cluster = fuzzed_cluster(random, static_cast<std::size_t>(random.whole(1, 40)));
      give_profiles(random, cluster);
      const std::unique_ptr<Policy> policy = make(kept);
      Decision decision = policy->start(cluster);
      for (int call = 0; call < 30; ++call) {
        decision = next_of(*policy, fuzzed(random, decision), decision);
        for (const Samples batch : decision.local_batches) wrong += batch < Samples{1} ? 1 : 0;
        for (const double weight : decision.weights) wrong += weight > 0.0 ? 0 : 1;
      }
    }
    INFO(kept.name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("permuting the workers permutes what policies decide", "[resizing]") {
  for (const Kept& kept : all_kept()) {
    RandomStream random = RandomStreams{86}.stream("permutation");
    int wrong = 0;
    for (int trial = 0; trial < 60; ++trial) {
      const auto workers = static_cast<std::size_t>(random.whole(2, 10));
      const std::vector<Line> lines = steady_lines(random, workers);
      std::vector<std::size_t> order(workers);
      std::iota(order.begin(), order.end(), std::size_t{0});
      for (std::size_t i = workers; i > 1; --i) {
        const std::int64_t other = random.whole(0, static_cast<std::int64_t>(i) - 1);
        std::swap(order[i - 1], order[static_cast<std::size_t>(other)]);
      }
      std::vector<Line> permuted;
      for (const std::size_t i : order) permuted.push_back(lines[i]);
      const std::int64_t batch = 50 * static_cast<std::int64_t>(workers);
      const Whole plain =
          counts_of(settled(*make(kept), cluster_of(lines, batch), 8).local_batches);
      const Whole other =
          counts_of(settled(*make(kept), cluster_of(permuted, batch), 8).local_batches);
      for (std::size_t i = 0; i < workers; ++i) wrong += other[i] == plain[order[i]] ? 0 : 1;
    }
    INFO(kept.name << " " << kept.parameters.size());
    CHECK(wrong == 0);
  }
}

TEST_CASE("one worker has the whole batch, whatever decides", "[resizing]") {
  const ClusterView cluster = cluster_of({{0.01, 0.001}}, 100);
  for (const Kept& kept : all_kept()) {
    INFO(kept.name);
    CHECK(counts_of(settled(*make(kept), cluster, 5).local_batches) == Whole{100});
  }
}

TEST_CASE("more workers than samples are refused, whatever decides", "[resizing]") {
  const ClusterView cluster = cluster_of(std::vector<Line>(5, Line{0.01, 0.001}), 4);
  for (const Kept& kept : all_kept()) {
    INFO(kept.name);
    CHECK(message_of<std::invalid_argument>([&] { (void)make(kept)->start(cluster); }) ==
          "a global batch of at least 5, one sample for each worker, not 4");
  }
}
