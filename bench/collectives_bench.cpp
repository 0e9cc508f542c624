// One all-reduce, message by message: items are messages.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bench/heap.hpp"
#include "bench/network_work.hpp"
#include "sim/engine/collective_player.hpp"
#include "sim/model/collective.hpp"
#include "sim/model/collective_algorithms.hpp"
#include "sim/topology/topology.hpp"

namespace dbsim {

namespace {

constexpr BytesPerSecond ten_gigabit{1.25e9};
constexpr Seconds latency{25e-6};
constexpr Bytes gradient{44.7e6};

void count_messages(benchmark::State& state, std::uint64_t messages_each) {
  state.SetItemsProcessed(static_cast<std::int64_t>(messages_each) * state.iterations());
}

// What playing takes of the heap at most, beside the schedule and its routes, for each message of
// the pattern: so many are under way at once. Growing to that is what it allocates for.
void count_heap(benchmark::State& state, const bench::NetworkWork& work,
                std::span<const Route> routes) {
  bench::forget_peak();
  const bench::HeapUse before = bench::heap_use();
  benchmark::DoNotOptimize(play(work.topology, work.schedule, routes, work.ready));
  const bench::HeapUse after = bench::heap_use();
  state.counters["peak_bytes_per_flow"] = static_cast<double>(after.peak - before.bytes) /
                                          static_cast<double>(work.schedule.pattern().size());
  state.counters["allocations_per_message"] =
      static_cast<double>(after.allocations - before.allocations) /
      static_cast<double>(work.schedule.messages());
}

// Played from the first message to the last, routes not included: a run finds them once.
template <bench::NetworkWork (*make)(std::size_t)>
void play_work(benchmark::State& state) {
  bench::NetworkWork work = make(static_cast<std::size_t>(state.range(0)));
  const std::vector<Route> routes = routes_of(work.topology, work.schedule);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(play(work.topology, work.schedule, routes, work.ready));
  }
  count_messages(state, work.schedule.messages());
  count_heap(state, work, routes);
}

// Which message comes next, without a network: they arrive in the order in which they start.
void progress_of_a_ring(benchmark::State& state) {
  const Schedule schedule = ring_all_reduce(static_cast<std::size_t>(state.range(0)), gradient);
  std::vector<MessageIndex> started;
  std::vector<MessageIndex> arriving;
  for ([[maybe_unused]] auto _ : state) {
    Progress progress{schedule};
    const auto first = progress.begin();
    started.assign(first.begin(), first.end());
    while (!started.empty()) {
      std::swap(started, arriving);
      started.clear();
      for (const MessageIndex message : arriving) {
        const auto next = progress.arrived(message);
        started.insert(started.end(), next.begin(), next.end());
      }
    }
  }
  count_messages(state, schedule.messages());
}

enum class Algorithm : std::uint8_t { ring, tree, halving, nodes_of_eight };

Schedule schedule_of(Algorithm algorithm, std::size_t ranks) {
  switch (algorithm) {
    case Algorithm::tree:
      return double_binary_tree(ranks, gradient, Bytes{512.0 * 1024.0});
    case Algorithm::halving:
      return halving_doubling(ranks, gradient);
    case Algorithm::nodes_of_eight:
      return hierarchical_all_reduce(ranks, 8, gradient);
    case Algorithm::ring:
      break;
  }
  return ring_all_reduce(ranks, gradient);
}

template <Algorithm algorithm>
void all_reduce(benchmark::State& state) {
  const auto ranks = static_cast<std::size_t>(state.range(0));
  const Topology topology{star(ranks, ten_gigabit, latency)};
  const Schedule schedule = schedule_of(algorithm, ranks);
  const std::vector<Span> ready(ranks);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(play(topology, schedule, ready));
  count_messages(state, schedule.messages());
}

// One flow for each edge; routes are found once, as in a run, and answers never repeat.
template <Algorithm algorithm>
void fluid_all_reduce(benchmark::State& state) {
  const auto ranks = static_cast<std::size_t>(state.range(0));
  const Schedule schedule = fluid(schedule_of(algorithm, ranks));
  CollectiveTimes times{Topology{star(ranks, ten_gigabit, latency)}, schedule};
  std::vector<Span> ready(ranks);
  benchmark::DoNotOptimize(times.after_last_arrival(ready));
  for ([[maybe_unused]] auto _ : state) {
    ++ready.front();
    benchmark::DoNotOptimize(times.after_last_arrival(ready));
  }
  count_messages(state, schedule.messages());
}

BENCHMARK(progress_of_a_ring)->ArgName("ranks")->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(all_reduce<Algorithm::tree>)
    ->ArgName("ranks")
    ->Arg(64)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(all_reduce<Algorithm::halving>)
    ->ArgName("ranks")
    ->Arg(64)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(all_reduce<Algorithm::nodes_of_eight>)
    ->ArgName("ranks")
    ->Arg(64)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(fluid_all_reduce<Algorithm::ring>)
    ->ArgName("ranks")
    ->Arg(1024)
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(fluid_all_reduce<Algorithm::tree>)
    ->ArgName("ranks")
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(play_work<bench::ring_on_a_star>)
    ->Name("ring_on_a_star")
    ->ArgName("ranks")
    ->RangeMultiplier(4)
    ->Range(16, 1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(play_work<bench::ring_on_a_mixed_star>)
    ->Name("ring_on_a_mixed_star")
    ->ArgName("ranks")
    ->RangeMultiplier(4)
    ->Range(16, 1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(play_work<bench::shuffled_ring_on_four_to_one_leaves>)
    ->Name("shuffled_ring_on_four_to_one_leaves")
    ->ArgName("ranks")
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(play_work<bench::parameter_server_with_unequal_starts>)
    ->Name("parameter_server_with_unequal_starts")
    ->ArgName("workers")
    ->Arg(16)
    ->Arg(256)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(play_work<bench::unequal_all_to_all>)
    ->Name("unequal_all_to_all")
    ->ArgName("ranks")
    ->Arg(64)
    ->Arg(128)
    ->Arg(512)
    ->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace dbsim
