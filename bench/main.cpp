// Program dbsim-bench: Google Benchmark's main, and benchmarks for the devices of this machine.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <exception>

#include "bench/calibration_bench.hpp"
#include "bench/target.hpp"

int main(int count, char* words[]) {
  try {
    benchmark::Initialize(&count, words);
    if (benchmark::ReportUnrecognizedArguments(count, words)) return 2;
    for (const auto& [name, description] : dbsim::bench::describe_targets()) {
      benchmark::AddCustomContext(name, description);
    }
    dbsim::bench::register_kernels();
    dbsim::bench::register_models();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "dbsim-bench: %s\n", error.what());
    return 3;
  }
}
