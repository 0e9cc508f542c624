#pragma once
// Ranks that only say how long they took: a latency, a bandwidth and noise, on a clock that moves
// by what they do.
#include <functional>
#include <set>
#include <vector>

#include "calib/network/all_reduce.hpp"
#include "calib/network/measure_all_reduce.hpp"
#include "sim/base/random.hpp"

namespace dbsim::calib::test {

struct SimulatedGroup : AllReduce {
  double latency{1e-5};
  double bandwidth{1e9};
  double noise{0.0};
  std::set<std::int64_t> wrong;  // sizes whose sums are wrong
  double now{100.0};
  std::vector<std::int64_t> visited;  // size of each run
  std::vector<std::size_t> repeated;
  std::function<bool(bool)> leader_says{[](bool value) { return value; }};
  RandomStream draws{1};

  GroupDescription description() override {
    return {.ranks_per_host = {2, 2}, .library = "simulated", .devices = {"none"}, .remarks = {}};
  }
  [[nodiscard]] bool leads() const override { return true; }
  std::vector<double> run(std::int64_t bytes, std::size_t repetitions) override {
    visited.push_back(bytes);
    repeated.push_back(repetitions);
    std::vector<double> seconds;
    for (std::size_t i = 0; i < repetitions; ++i) {
      seconds.push_back((latency + static_cast<double>(bytes) / bandwidth) *
                        draws.lognormal(noise));
      now += seconds.back();
    }
    return seconds;
  }
  bool sums_are_right() override { return !wrong.contains(visited.back()); }
  bool as_leader_says(bool value) override { return leader_says(value); }

  [[nodiscard]] NetworkSurroundings surroundings() {
    return {.now = [this] { return now; }, .stop = {}, .report = {}};
  }
};

}  // namespace dbsim::calib::test
