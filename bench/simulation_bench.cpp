// Whole runs: how large a question is answered while a person waits.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdint>
#include <string>

#include "policies/dbs.hpp"
#include "policies/fixed.hpp"
#include "policies/lb_bsp.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/model/setup.hpp"

namespace {

using namespace dbsim;

// Speeds spread evenly over a factor of two, 2 % noise from step to step.
Setup cluster(std::size_t workers, std::int64_t global_batch, std::int64_t samples,
              std::int64_t epochs) {
  Setup setup;
  setup.epochs = epochs;
  setup.view.global_batch = Samples{global_batch};
  setup.view.epoch_samples = Samples{samples};
  for (std::size_t i = 0; i < workers; ++i) {
    const double slowness = 1.0 + static_cast<double>(i) / static_cast<double>(workers);
    const StepTimeCurve curve = StepTimeCurve::affine(Seconds{0.004}, Seconds{0.002 * slowness});
    const std::string name = "w" + std::to_string(i);
    setup.view.workers.push_back({name, std::nullopt, curve});
    setup.workers.push_back({name, curve, 0.02});
  }
  setup.communication = {.how = FixedCommunication{Seconds{0.01}}, .workers = workers};
  return setup;
}

void report(benchmark::State& state, std::uint64_t events) {
  state.counters["events"] = static_cast<double>(events);
  state.counters["events/s"] =
      benchmark::Counter(static_cast<double>(events) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}

// 16 workers, 90 epochs of 1,281,167 images at a global batch of 1,024; fixed and dbs; ring of 102
// MB, every message.
void imagenet_with_message_ring(benchmark::State& state) {
  Setup setup = cluster(16, 1024, 1'281'167, 90);
  setup.communication.how =
      PlayedCommunication{.network = star(16, BytesPerSecond{1.25e9}, Seconds{25e-6})};
  setup.communication.collective.gradient = Bytes{102.2e6};
  std::uint64_t events = 0;
  for ([[maybe_unused]] auto _ : state) {
    const RunTrace fixed = simulate(setup, make_fixed(), RandomStreams{1});
    const RunTrace dbs = simulate(setup, make_dbs(), RandomStreams{1});
    events = fixed.events + dbs.events;
    benchmark::DoNotOptimize(dbs.epochs.data());
  }
  report(state, events);
}
BENCHMARK(imagenet_with_message_ring)->Unit(benchmark::kMillisecond);

void thousand_workers_fixed_network(benchmark::State& state) {
  const Setup setup = cluster(1000, 32'000, 3'200'000, 10);
  std::uint64_t events = 0;
  for ([[maybe_unused]] auto _ : state) {
    const RunTrace trace = simulate(setup, make_dbs(), RandomStreams{1});
    events = trace.events;
    benchmark::DoNotOptimize(trace.epochs.data());
  }
  report(state, events);
}
BENCHMARK(thousand_workers_fixed_network)->Unit(benchmark::kMillisecond);

// The same, decided anew at each of the 1,000 barriers.
void thousand_workers_deciding_by_step(benchmark::State& state) {
  const Setup setup = cluster(1000, 32'000, 3'200'000, 10);
  std::uint64_t events = 0;
  for ([[maybe_unused]] auto _ : state) {
    const RunTrace trace = simulate(setup, make_lb_bsp(), RandomStreams{1});
    events = trace.events;
    benchmark::DoNotOptimize(trace.epochs.data());
  }
  report(state, events);
}
BENCHMARK(thousand_workers_deciding_by_step)->Unit(benchmark::kMillisecond);

void ten_thousand_workers(benchmark::State& state) {
  const Setup setup = cluster(10'000, 320'000, 3'200'000, 10);
  std::uint64_t events = 0;
  for ([[maybe_unused]] auto _ : state) {
    const RunTrace trace = simulate(setup, make_dbs(), RandomStreams{1});
    events = trace.events;
    benchmark::DoNotOptimize(trace.epochs.data());
  }
  report(state, events);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MB"] =
      static_cast<double>(usage.ru_maxrss) / 1000.0;  // of the whole process so far
}
BENCHMARK(ten_thousand_workers)->Unit(benchmark::kMillisecond);

}  // namespace
