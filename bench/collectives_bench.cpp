// One all-reduce, message by message: items are messages.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/collective_player.hpp"
#include "sim/engine/transfers.hpp"
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

std::vector<NodeIndex> shuffled(std::size_t ranks, RandomStream& random) {
  std::vector<NodeIndex> order(ranks);
  std::iota(order.begin(), order.end(), NodeIndex{0});
  for (std::size_t i = ranks; i > 1; --i) {
    const auto other = static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(i) - 1));
    std::swap(order[i - 1], order[other]);
  }
  return order;
}

// Sixteen hosts to a leaf, whose link to the spine is as fast as four of theirs.
Network four_to_one_leaves(std::size_t ranks) {
  constexpr std::size_t hosts_each = 16;
  const std::size_t leaves = ranks / hosts_each;
  Network network{.hosts = ranks, .switches = leaves + 1, .links = {}, .routes = {}};
  const auto spine = static_cast<NodeIndex>(ranks + leaves);
  for (NodeIndex host = 0; host < ranks; ++host) {
    const auto leaf = static_cast<NodeIndex>(ranks + host / hosts_each);
    network.links.push_back(
        {.from = host, .to = leaf, .bandwidth = ten_gigabit, .latency = latency / 4.0});
  }
  for (auto leaf = static_cast<NodeIndex>(ranks); leaf < spine; ++leaf) {
    network.links.push_back({.from = leaf,
                             .to = spine,
                             .bandwidth = BytesPerSecond{4.0 * ten_gigabit.count()},
                             .latency = latency / 4.0});
  }
  return network;
}

// Neighbours of the ring sit anywhere: nearly every message crosses two of the narrow links.
void shuffled_ring_on_four_to_one_leaves(benchmark::State& state) {
  const auto ranks = static_cast<std::size_t>(state.range(0));
  const Topology topology{four_to_one_leaves(ranks)};
  RandomStream random = RandomStreams{3}.stream("bench", "ring");
  const std::vector<NodeIndex> order = shuffled(ranks, random);
  const Schedule ring = ring_all_reduce(ranks, gradient);
  std::vector<Message> pattern(ring.pattern().begin(), ring.pattern().end());
  for (Message& message : pattern) {
    message.from = order[message.from];
    message.to = order[message.to];
  }
  const Schedule schedule{std::move(pattern), ring.rounds(0)};
  const std::vector<Span> ready(ranks);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(play(topology, schedule, ready));
  count_messages(state, schedule.messages());
}

// No two messages alike: each completion changes the rates of half of the others.
void unequal_all_to_all(benchmark::State& state) {
  const auto ranks = static_cast<std::size_t>(state.range(0));
  const Topology topology{star(ranks, ten_gigabit, latency)};
  RandomStream random = RandomStreams{3}.stream("bench", "sizes");
  std::vector<Message> pattern;
  for (NodeIndex from = 0; from < ranks; ++from) {
    for (NodeIndex to = 0; to < ranks; ++to) {
      if (from == to) continue;
      const Bytes size{1e6 * (0.5 + random.uniform())};
      pattern.push_back({.from = from, .to = to, .size = size, .after = {}});
    }
  }
  const Schedule schedule{std::move(pattern), 1};
  const std::vector<Span> ready(ranks);
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
BENCHMARK(shuffled_ring_on_four_to_one_leaves)
    ->ArgName("ranks")
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(unequal_all_to_all)
    ->ArgName("ranks")
    ->Arg(64)
    ->Arg(128)
    ->Arg(512)
    ->Unit(benchmark::kMillisecond);
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
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace dbsim
