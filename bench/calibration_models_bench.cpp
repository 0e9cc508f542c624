// One training step of every shipped model on every target that uses all it can.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>

#include "bench/calibration_bench.hpp"
#include "bench/target.hpp"
#include "calib/backend/network_runner.hpp"
#include "calib/spec/model_shelf.hpp"
#include "sim/program/shipped.hpp"

namespace dbsim::bench {

namespace {

using calib::Model;

// A power of two, such that steps of all models take about equally long.
std::int64_t batch_for(const Model& model, bool is_gpu) {
  const double multiply_adds = is_gpu ? 500e9 : 2.5e9;
  const std::int64_t most = is_gpu ? 1024 : 32;
  std::int64_t batch = 1;
  while (batch < most &&
         2.0 * static_cast<double>(batch) * model.forward_multiply_adds() <= multiply_adds) {
    batch *= 2;
  }
  return batch;
}

// A multiply-add is two FLOP, and backward has twice those of forward.
double flops_of_step(const Model& model, std::int64_t batch) {
  return 2.0 * 3.0 * model.forward_multiply_adds() * static_cast<double>(batch);
}

void run_model(benchmark::State& state, const Target& target, const Model& model,
               std::int64_t batch) {
  const Peaks& peaks = peaks_of(target);
  Engine engine = target.make();
  calib::NetworkRunner runner{model, std::move(engine.device), std::move(engine.ops), 1};
  if (!runner.prepare(batch)) throw calib::OutOfMemory{};
  double seconds = 0.0;
  for ([[maybe_unused]] auto _ : state) {
    const double taken = runner.step().step;
    state.SetIterationTime(taken);
    seconds += taken;
  }
  const double each = seconds / static_cast<double>(state.iterations());
  const double flops_per_second = flops_of_step(model, batch) / each;
  state.counters["samples/s"] = static_cast<double>(batch) / each;
  state.counters["FLOP/s"] = flops_per_second;
  state.counters["of_peak"] = flops_per_second / peaks.flops_per_second;
}

}  // namespace

void register_models() {
  const std::string folder = (shipped_scenarios() / "models").string();
  for (const calib::ModelSummary& summary : calib::list_models(folder)) {
    const auto model = std::make_shared<const Model>(calib::find_model(summary.name, folder));
    for (const Target& target : targets()) {
      if (!target.all_cores) continue;
      const std::int64_t batch = batch_for(*model, target.is_gpu);
      const std::string name = fmt::format("model/{}/{}/batch:{}", model->name, target.name, batch);
      benchmark::RegisterBenchmark(name.c_str(),
                                   [&target, model, batch](benchmark::State& state) {
                                     where_it_fits(state, run_model, target, *model, batch);
                                   })
          ->UseManualTime()
          ->Iterations(3)
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace dbsim::bench
