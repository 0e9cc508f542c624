// What the literature says a collective costs, alpha and beta: on a quiet star to the nanosecond of
// each round, and the two levels of detail beside each other.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/collective_player.hpp"
#include "sim/model/collective_algorithms.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

constexpr BytesPerSecond bandwidth{1.25e9};
constexpr Seconds latency{25e-6};
constexpr Bytes gradient{44.7e6};

Span time_of(const Schedule& schedule, const Topology& topology) {
  return play(topology, schedule, std::vector<Span>(topology.hosts())).last;
}

Span time_of(const Schedule& schedule, std::size_t hosts) {
  return time_of(schedule, Topology{star(hosts, bandwidth, latency)});
}

bool within(Span found, Seconds expected, std::int64_t nanoseconds) {
  return std::abs((found - to_span(expected)).count()) <= nanoseconds;
}

double count(std::size_t value) { return static_cast<double>(value); }

std::size_t log2_of(std::size_t n) { return static_cast<std::size_t>(std::bit_width(n) - 1); }

std::vector<BytesPerSecond> random_links(std::size_t hosts, RandomStream& random) {
  std::vector<BytesPerSecond> links;
  for (std::size_t i = 0; i < hosts; ++i) links.emplace_back(1e9 * random.lognormal(0.5));
  return links;
}

Seconds halving_doubling_time(std::size_t n, BytesPerSecond slowest) {
  const std::size_t power = std::bit_floor(n);
  const Seconds whole = gradient / slowest;
  const Seconds steps =
      2.0 * count(log2_of(power)) * latency + 2.0 * count(power - 1) / count(power) * whole;
  return n == power ? steps : steps + 2.0 * (latency + whole);
}

}  // namespace

TEST_CASE("a reduce-scatter and an all-gather take (n - 1) (alpha + S / (n beta)) each",
          "[collective_times]") {
  for (const std::size_t n : {2, 3, 4, 7, 16, 100}) {
    const Seconds round = latency + gradient / bandwidth / count(n);
    const auto rounds = static_cast<std::int64_t>(n - 1);
    CHECK(within(time_of(ring_reduce_scatter(n, gradient), n), count(n - 1) * round, rounds));
    CHECK(within(time_of(ring_all_gather(n, gradient), n), count(n - 1) * round, rounds));
  }
}

TEST_CASE(
    "halving-doubling takes 2 log2(n) alpha + 2 (n - 1)/n S / beta, and two messages of S more "
    "where n is no power of two",
    "[collective_times]") {
  for (std::size_t n = 2; n <= 70; ++n) {
    CAPTURE(n);
    const auto rounds = static_cast<std::int64_t>(2 * log2_of(n) + 2);
    CHECK(within(time_of(halving_doubling(n, gradient), n), halving_doubling_time(n, bandwidth),
                 rounds));
  }
}

TEST_CASE("halving-doubling over unequal links runs at the pace of the slowest",
          "[collective_times]") {
  RandomStream random = RandomStreams{51}.stream("times", "halving-doubling");
  for (int repeat = 0; repeat < 50; ++repeat) {
    const std::size_t n = std::size_t{1} << random.whole(1, 6);
    const std::vector<BytesPerSecond> links = random_links(n, random);
    CHECK(within(time_of(halving_doubling(n, gradient), Topology{star(links, latency)}),
                 halving_doubling_time(n, std::ranges::min(links)),
                 static_cast<std::int64_t>(2 * log2_of(n))));
  }
}

// Both trees at once: an edge has half of a link, as its sender is a leaf elsewhere and its
// receiver has a second child. Only the edge to the root is alone at the end, and that from it at
// the start.
TEST_CASE(
    "a double binary tree takes 2 ((C + log2(n) - 1) (alpha + S / (C beta)) - S / (2 C beta))",
    "[collective_times]") {
  for (const std::size_t n : {4, 8, 16, 64, 256}) {
    for (const std::size_t chunks : {1, 2, 3, 10, 43}) {
      CAPTURE(n, chunks);
      const Bytes chunk{gradient.count() / 2.0 / count(chunks)};
      const Schedule schedule =
          double_binary_tree(n, gradient, Bytes{chunk.count() * (1.0 + 1e-12)});
      const std::size_t rounds = chunks + log2_of(n) - 1;
      const Seconds alone = chunk / bandwidth;
      const Seconds expected = 2.0 * (count(rounds) * (latency + 2.0 * alone) - alone);
      CHECK(within(time_of(schedule, n), expected, static_cast<std::int64_t>(2 * rounds)));
    }
  }
}

TEST_CASE("two workers' trees are one edge each, in opposite directions", "[collective_times]") {
  const Schedule schedule = double_binary_tree(2, gradient, Bytes{gradient.count() / 20.0});
  const Seconds round = latency + gradient / bandwidth / 20.0;
  CHECK(within(time_of(schedule, 2), 20.0 * round, 20));
}

TEST_CASE("a double binary tree of any size takes no longer than the next power of two",
          "[collective_times]") {
  const Bytes chunk{512.0 * 1024.0};
  for (std::size_t n = 3; n <= 130; ++n) {
    CAPTURE(n);
    const std::size_t next = std::bit_ceil(n);
    const Seconds least = 2.0 * count(n - 1) / count(n) * (gradient / bandwidth);
    const Span found = time_of(double_binary_tree(n, gradient, chunk), n);
    CHECK(found >= to_span(least));
    CHECK(to_seconds(found) <=
          1.01 * to_seconds(time_of(double_binary_tree(next, gradient, chunk), next)));
  }
}

TEST_CASE("hierarchical rings take the sum of their stages, at the pace of the slowest link",
          "[collective_times]") {
  RandomStream random = RandomStreams{52}.stream("times", "hierarchical");
  for (int repeat = 0; repeat < 60; ++repeat) {
    const auto local = static_cast<std::size_t>(random.whole(1, 8));
    const auto nodes = static_cast<std::size_t>(random.whole(1, 8));
    const std::size_t n = local * nodes;
    const std::vector<BytesPerSecond> links =
        repeat % 2 == 0 ? std::vector<BytesPerSecond>(n, bandwidth) : random_links(n, random);
    const Seconds whole = gradient / std::ranges::min(links);
    const Seconds within_node = latency + whole / count(local);
    const Seconds across = latency + whole / count(n);
    const Seconds expected = 2.0 * count(local - 1) * within_node + 2.0 * count(nodes - 1) * across;
    const Topology topology{star(links, latency)};
    const auto rounds = static_cast<std::int64_t>(2 * n);
    CHECK(within(time_of(hierarchical_all_reduce(n, local, gradient), topology), expected, rounds));
  }
}

TEST_CASE("k servers carry n/k gradients over each link, or each worker's link carries one",
          "[collective_times]") {
  for (const std::size_t n : {2, 8, 40}) {
    for (const std::size_t k : {1, 3, 40}) {
      const double load = std::max(1.0, count(n) / count(k));
      const Seconds way = latency + load * (gradient / bandwidth);
      CHECK(within(time_of(parameter_server(n, k, gradient), n + k), 2.0 * way, 2));
    }
  }
}

// From latency alone to bandwidth alone.
TEST_CASE("fluid agrees with message within 1 % on a quiet star", "[collective_times]") {
  for (const double size : {1e2, 1e4, 1e6, 1e8}) {
    for (const std::size_t n : {2, 4, 8, 32}) {
      const Bytes all{size};
      for (const Schedule& schedule :
           {ring_all_reduce(n, all), ring_reduce_scatter(n, all), ring_all_gather(n, all),
            halving_doubling(n, all), hierarchical_all_reduce(n, 2, all),
            double_binary_tree(n, all, Bytes{512.0 * 1024.0}),
            double_binary_tree(n, all, Bytes{size / 50.0}), parameter_server(n, 3, all)}) {
        CAPTURE(size, n, schedule.stages(), schedule.messages());
        const double expected = to_seconds(time_of(schedule, n + 3)).count();
        CHECK(to_seconds(time_of(fluid(schedule), n + 3)).count() ==
              Approx(expected).epsilon(0.01));
      }
    }
  }
}

TEST_CASE("fluid agrees with message within 2 % in trees of any size", "[collective_times]") {
  for (const double size : {1e4, 1e6, 44.7e6}) {
    for (std::size_t n = 3; n <= 70; ++n) {
      CAPTURE(size, n);
      const Schedule schedule = double_binary_tree(n, Bytes{size}, Bytes{512.0 * 1024.0});
      const double expected = to_seconds(time_of(schedule, n)).count();
      CHECK(to_seconds(time_of(fluid(schedule), n)).count() == Approx(expected).epsilon(0.02));
    }
  }
}

TEST_CASE("fluid agrees with message within 1 % where the slowest link decides",
          "[collective_times]") {
  RandomStream random = RandomStreams{53}.stream("times", "fluid");
  for (int repeat = 0; repeat < 40; ++repeat) {
    const std::size_t n = std::size_t{1} << random.whole(1, 5);
    const Topology topology{star(random_links(n + 2, random), latency)};
    const Bytes size{1e8 * random.uniform()};
    for (const Schedule& schedule : {ring_all_reduce(n, size), hierarchical_all_reduce(n, 2, size),
                                     halving_doubling(n, size), parameter_server(n, 2, size)}) {
      const double expected = to_seconds(time_of(schedule, topology)).count();
      CHECK(to_seconds(time_of(fluid(schedule), topology)).count() ==
            Approx(expected).epsilon(0.01));
    }
  }
}
