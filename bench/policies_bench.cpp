// One decision for 10,000 workers: DBS at most 1 ms, oracle at most 5 ms.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "policies/catalog.hpp"
#include "policies/dbs.hpp"
#include "policies/oracle.hpp"
#include "sim/base/random.hpp"

namespace dbsim {

namespace {

enum class Shape { affine, measured };

// Log-normal speeds, an overhead of a few samples' time, and memory that holds three equal shares.
ClusterView cluster_of(std::size_t workers, std::int64_t batch_per_worker, Shape shape) {
  RandomStream random = RandomStreams{5}.stream("bench", "workers");
  ClusterView cluster{
      .global_batch = Samples{static_cast<std::int64_t>(workers) * batch_per_worker},
      .epoch_samples = Samples{50'000'000},
      .workers = {}};
  for (std::size_t i = 0; i < workers; ++i) {
    const StepTimeCurve line = StepTimeCurve::affine(Seconds{0.01 * random.lognormal(0.5)},
                                                     Seconds{0.001 * random.lognormal(0.7)});
    std::vector<StepTimePoint> points;
    for (std::int64_t batch = 8; batch <= 1024; batch *= 2) {
      points.push_back({Samples{batch}, line.at(Samples{batch}) * (1.0 + 0.05 * random.uniform())});
    }
    cluster.workers.push_back({std::to_string(i), Samples{3 * batch_per_worker},
                               shape == Shape::affine ? line : StepTimeCurve{points}});
  }
  return cluster;
}

void dbs_decision(benchmark::State& state) {
  const ClusterView cluster = cluster_of(10'000, state.range(0), Shape::affine);
  const std::unique_ptr<Policy> policy = make_dbs();
  const Decision decision = policy->start(cluster);
  RandomStream random = RandomStreams{5}.stream("bench", "noise");
  std::vector<Measurement> epoch;
  for (std::size_t i = 0; i < cluster.workers.size(); ++i) {
    const Samples batch = decision.local_batches[i];
    epoch.push_back({.batch = batch,
                     .samples = Samples{batch.count() * 10},
                     .steps = 10,
                     .own = cluster.workers[i].nominal->at(batch) * 10.0});
  }
  std::vector<Measurement> noisy = epoch;
  for (auto _ : state) {
    state.PauseTiming();
    for (std::size_t i = 0; i < epoch.size(); ++i) {
      noisy[i].own = epoch[i].own * random.lognormal(0.02);
    }
    state.ResumeTiming();
    benchmark::DoNotOptimize(policy->after_epoch(noisy));
  }
}

void oracle_decision(benchmark::State& state) {
  const auto shape = static_cast<Shape>(state.range(1));
  const ClusterView cluster = cluster_of(10'000, state.range(0), shape);
  const std::unique_ptr<Policy> policy = make_oracle();
  for (auto _ : state) benchmark::DoNotOptimize(policy->start(cluster));
}

// One step, 2 % noise: what a policy that decides at every step adds to it.
void step_decision(benchmark::State& state, const std::string& name) {
  const ClusterView cluster = cluster_of(10'000, state.range(0), Shape::affine);
  const auto kind = std::ranges::find(catalog(), name, &PolicyKind::name);
  const std::unique_ptr<Policy> policy = kind->make({});
  Decision decision = policy->start(cluster);
  RandomStream random = RandomStreams{5}.stream("bench", "noise");
  std::vector<Measurement> steps(cluster.workers.size());
  for (auto _ : state) {
    state.PauseTiming();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Samples batch = decision.local_batches[i];
      steps[i] = {.batch = batch,
                  .samples = batch,
                  .steps = 1,
                  .own = cluster.workers[i].nominal->at(batch) * random.lognormal(0.02)};
    }
    state.ResumeTiming();
    if (std::optional<Decision> next = policy->after_steps(steps)) decision = std::move(*next);
  }
}

BENCHMARK_CAPTURE(step_decision, lb_bsp, "lb-bsp")->ArgName("samples_each")->Arg(128);
BENCHMARK_CAPTURE(step_decision, lbb, "lbb")->ArgName("samples_each")->Arg(128);
BENCHMARK_CAPTURE(step_decision, proportional_controller, "proportional-controller")
    ->ArgName("samples_each")
    ->Arg(128);
BENCHMARK(dbs_decision)->ArgName("samples_each")->Arg(4)->Arg(128)->Arg(1000);
BENCHMARK(oracle_decision)
    ->ArgNames({"samples_each", "measured"})
    ->ArgsProduct({{4, 128, 1000}, {0, 1}});

}  // namespace

}  // namespace dbsim
