// Every layer on every target: FLOP/s, bytes/s, and how much of the roofline that is.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/calibration_bench.hpp"
#include "bench/kernel_cases.hpp"
#include "bench/target.hpp"

namespace dbsim::bench {

namespace {

// Queued behind each other, so that a GPU does not wait for the host between two of them.
constexpr int calls_at_once = 8;

void run_peaks(benchmark::State& state, const Target& target) {
  for ([[maybe_unused]] auto _ : state) {
    const Peaks& peaks = peaks_of(target);
    state.counters["FLOP/s"] = peaks.flops_per_second;
    state.counters["B/s"] = peaks.bytes_per_second;
  }
}

void run_kernel(benchmark::State& state, const Target& target, const KernelCase& kernel_case) {
  const Peaks& peaks = peaks_of(target);
  const Engine engine = target.make();
  Tensors tensors{*engine.device};
  const Kernel kernel = kernel_case.make(*engine.ops, tensors, target.is_gpu ? 128 : 8);
  kernel.run();  // libraries prepare themselves at the first call
  double seconds = 0.0;
  while (state.KeepRunningBatch(calls_at_once)) {
    engine.device->wait();
    engine.device->mark(0);
    for (int i = 0; i < calls_at_once; ++i) kernel.run();
    engine.device->mark(1);
    engine.device->wait();
    const double taken = engine.device->seconds(0, 1);
    state.SetIterationTime(taken);
    seconds += taken;
  }
  const double each = seconds / static_cast<double>(state.iterations());
  state.counters["FLOP/s"] = kernel.work.flops / each;
  state.counters["B/s"] = kernel.work.bytes / each;
  state.counters["of_roofline"] = roofline_seconds(peaks, kernel.work) / each;
}

void register_kernel(const KernelCase& kernel) {
  for (const Target& target : targets()) {
    const std::string name = fmt::format("kernel/{}/{}", kernel.name, target.name);
    benchmark::RegisterBenchmark(
        name.c_str(),
        [&target, kernel](benchmark::State& state) { run_kernel(state, target, kernel); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace

void register_kernels() {
  for (const Target& target : targets()) {
    benchmark::RegisterBenchmark(
        ("peak/" + target.name).c_str(),
        [&target](benchmark::State& state) { where_it_fits(state, run_peaks, target); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  for (const auto& kernels : {weighted_kernels(), norm_kernels(), plain_kernels()}) {
    for (const KernelCase& kernel : kernels) register_kernel(kernel);
  }
}

}  // namespace dbsim::bench
