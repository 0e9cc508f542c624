// One all-reduce, message by message: items are messages.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/collective_player.hpp"
#include "sim/engine/transfers.hpp"
#include "sim/model/collective.hpp"
#include "sim/model/collective_algorithms.hpp"
#include "sim/model/topology.hpp"

namespace dbsim {

namespace {

constexpr BytesPerSecond ten_gigabit{1.25e9};
constexpr Seconds latency{25e-6};
constexpr Bytes gradient{44.7e6};

void count_messages(benchmark::State& state, std::uint64_t messages_each) {
  state.SetItemsProcessed(static_cast<std::int64_t>(messages_each) * state.iterations());
}

void ring_on_a_star(benchmark::State& state) {
  const auto ranks = static_cast<std::size_t>(state.range(0));
  const Topology topology{star(ranks, ten_gigabit, latency)};
  const Schedule schedule = ring_all_reduce(ranks, gradient);
  const std::vector<Span> ready(ranks);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(play(topology, schedule, ready));
  count_messages(state, schedule.messages());
}

// No two links alike, so that the ranks drift apart and hardly any two messages end together.
void ring_on_a_mixed_star(benchmark::State& state) {
  const auto ranks = static_cast<std::size_t>(state.range(0));
  RandomStream random = RandomStreams{3}.stream("bench", "links");
  std::vector<BytesPerSecond> links;
  for (std::size_t i = 0; i < ranks; ++i) links.emplace_back(1.25e9 * random.lognormal(0.3));
  const Topology topology{star(links, latency)};
  const Schedule schedule = ring_all_reduce(ranks, gradient);
  const std::vector<Span> ready(ranks);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(play(topology, schedule, ready));
  count_messages(state, schedule.messages());
}

// Every arrival changes the rate of all flows to the server: the hardest case for fair sharing.
void parameter_server_with_unequal_starts(benchmark::State& state) {
  const auto workers = static_cast<std::size_t>(state.range(0));
  const Topology topology{star(workers + 1, ten_gigabit, latency)};
  const Schedule schedule = parameter_server(workers, 1, gradient);
  RandomStream random = RandomStreams{3}.stream("bench", "starts");
  std::vector<Span> ready;
  for (std::size_t i = 0; i < workers; ++i) ready.push_back(to_span(Seconds{random.uniform()}));
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(play(topology, schedule, ready));
  count_messages(state, schedule.messages());
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

enum Algorithm : std::int64_t { ring, tree, halving, nodes_of_eight };

Schedule schedule_of(std::int64_t algorithm, std::size_t ranks) {
  switch (algorithm) {
    case tree:
      return double_binary_tree(ranks, gradient, Bytes{512.0 * 1024.0});
    case halving:
      return halving_doubling(ranks, gradient);
    case nodes_of_eight:
      return hierarchical_all_reduce(ranks, 8, gradient);
    default:
      return ring_all_reduce(ranks, gradient);
  }
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
BENCHMARK(all_reduce<tree>)->ArgName("ranks")->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(all_reduce<halving>)->ArgName("ranks")->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(all_reduce<nodes_of_eight>)
    ->ArgName("ranks")
    ->Arg(64)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(fluid_all_reduce<ring>)
    ->ArgName("ranks")
    ->Arg(1024)
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(fluid_all_reduce<tree>)->ArgName("ranks")->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(ring_on_a_star)
    ->ArgName("ranks")
    ->RangeMultiplier(4)
    ->Range(16, 1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(ring_on_a_mixed_star)
    ->ArgName("ranks")
    ->RangeMultiplier(4)
    ->Range(16, 1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(parameter_server_with_unequal_starts)
    ->ArgName("workers")
    ->Arg(16)
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace dbsim
