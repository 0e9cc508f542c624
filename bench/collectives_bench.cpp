// One all-reduce, message by message: items are messages.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/collective_player.hpp"
#include "sim/engine/transfers.hpp"
#include "sim/model/collective.hpp"
#include "sim/topology/topology.hpp"

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
