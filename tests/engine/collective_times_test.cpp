// What the literature says a collective costs, alpha and beta: on a quiet star to the nanosecond of
// each round, and the two levels of detail beside each other.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/collective_player.hpp"
#include "sim/model/collective_algorithms.hpp"
#include "sim/topology/shapes.hpp"
#include "tests/catch.hpp"
#include "tests/support/fresh_seed.hpp"
#include "tests/support/networks.hpp"

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

namespace {

/// A quiet star that nobody has tried: its links, what travels, and among how many.
struct Quiet {
  std::size_t workers;
  Bytes size;
  BytesPerSecond beta;
  Seconds alpha;

  explicit Quiet(RandomStream& random)
      : workers{static_cast<std::size_t>(random.whole(1, 40))},
        size{std::pow(10.0, 9.0 * random.uniform())},
        beta{std::pow(10.0, 7.0 + 4.0 * random.uniform())},
        alpha{random.uniform() < 0.1 ? 0.0 : 1e-3 * random.uniform()} {}

  [[nodiscard]] Seconds whole() const { return size / beta; }
  [[nodiscard]] Span time(const Schedule& schedule, std::size_t hosts) const {
    return time_of(schedule, Topology{star(hosts, beta, alpha)});
  }
};

/// The closed forms once more, of anything: a nanosecond each round.
template <class Check>
void on_quiet_stars(const std::string& name, int repeats, const Check& check_one) {
  INFO("DBSIM_TEST_SEED=" << test::fresh_seed() << " repeats this");
  for (int repeat = 0; repeat < repeats; ++repeat) {
    RandomStream random =
        RandomStreams{test::fresh_seed()}.stream("quiet " + name, std::to_string(repeat));
    const Quiet quiet{random};
    CAPTURE(repeat, quiet.workers, quiet.size.count(), quiet.beta.count(), quiet.alpha.count());
    check_one(quiet, random);
  }
}

}  // namespace

TEST_CASE("a ring of any size takes 2 (n - 1) (alpha + S / (n beta)), alone nothing",
          "[collective_times][properties]") {
  on_quiet_stars("ring", 400, [](const Quiet& quiet, RandomStream&) {
    const std::size_t n = quiet.workers;
    const auto rounds = static_cast<std::int64_t>(2 * (n - 1));
    const Seconds expected = static_cast<double>(rounds) * (quiet.alpha + quiet.whole() / count(n));
    CHECK(within(quiet.time(ring_all_reduce(n, quiet.size), n), expected, rounds));
  });
}

TEST_CASE("halving-doubling of any size takes what its formula says, alone nothing",
          "[collective_times][properties]") {
  on_quiet_stars("halving-doubling", 400, [](const Quiet& quiet, RandomStream&) {
    const std::size_t n = quiet.workers;
    const std::size_t power = std::bit_floor(n);
    const Seconds steps = 2.0 * count(log2_of(power)) * quiet.alpha +
                          2.0 * count(power - 1) / count(power) * quiet.whole();
    const Seconds expected = n == power ? steps : steps + 2.0 * (quiet.alpha + quiet.whole());
    const auto rounds = static_cast<std::int64_t>(2 * log2_of(power) + 2);
    CHECK(within(quiet.time(halving_doubling(n, quiet.size), n), expected, rounds));
  });
}

TEST_CASE("a parameter server of any size takes 2 (alpha + max(n / k, 1) S / beta)",
          "[collective_times][properties]") {
  on_quiet_stars("servers", 400, [](const Quiet& quiet, RandomStream& random) {
    const auto servers = static_cast<std::size_t>(random.whole(1, 12));
    const std::size_t n = quiet.workers;
    if (n == 1) return;  // a worker alone needs no server
    const double load = std::max(count(n) / count(servers), 1.0);
    const Seconds expected = 2.0 * (quiet.alpha + load * quiet.whole());
    CHECK(within(quiet.time(parameter_server(n, servers, quiet.size), n + servers), expected, 2));
  });
}

TEST_CASE("a double binary tree of any size takes what its formula says at powers of two",
          "[collective_times][properties]") {
  on_quiet_stars("trees", 200, [](const Quiet& quiet, RandomStream& random) {
    const std::size_t n = std::bit_ceil(std::max<std::size_t>(quiet.workers, 4));
    const auto chunks = static_cast<std::size_t>(random.whole(1, 20));
    const Bytes chunk{quiet.size.count() / 2.0 / count(chunks)};
    const Schedule schedule =
        double_binary_tree(n, quiet.size, Bytes{chunk.count() * (1.0 + 1e-12)});
    const std::size_t rounds = chunks + log2_of(n) - 1;
    const Seconds alone = chunk / quiet.beta;
    const Seconds expected = 2.0 * (count(rounds) * (quiet.alpha + 2.0 * alone) - alone);
    CAPTURE(n, chunks);
    CHECK(within(quiet.time(schedule, n), expected, static_cast<std::int64_t>(2 * rounds)));
  });
}

// A worker's next message waits for its last one and for its left neighbour's: the slowest edge,
// waiting for itself, sets the pace.
TEST_CASE("a ring on any network takes 2 (n - 1) times its slowest edge, if no edges share a link",
          "[collective_times][properties]") {
  INFO("DBSIM_TEST_SEED=" << test::fresh_seed() << " repeats this");
  int tried = 0;
  for (int repeat = 0; repeat < 2000; ++repeat) {
    RandomStream random =
        RandomStreams{test::fresh_seed()}.stream("ring anywhere", std::to_string(repeat));
    test::DrawnNetwork drawn = test::draw_network(random);
    const Topology topology{std::move(drawn.network)};
    const auto n = static_cast<NodeIndex>(topology.hosts());
    const Bytes size{std::pow(10.0, 9.0 * random.uniform())};
    std::set<ChannelIndex> crossed;
    bool apart = n >= 2;
    Seconds slowest{};
    for (NodeIndex i = 0; i < n && apart; ++i) {
      const auto route = topology.route(i, (i + 1) % n);
      apart = route.has_value();
      if (!apart) break;
      BytesPerSecond narrowest = topology.capacities()[route->channels.front()];
      for (const ChannelIndex channel : route->channels) {
        apart = apart && crossed.insert(channel).second;
        narrowest = std::min(narrowest, topology.capacities()[channel]);
      }
      slowest = std::max(slowest, route->latency + size / narrowest / count(n));
    }
    if (!apart) continue;
    ++tried;
    CAPTURE(repeat, drawn.kind, n, size.count());
    const std::int64_t rounds = 2 * (std::int64_t{n} - 1);
    const Seconds expected = static_cast<double>(rounds) * slowest;
    const Schedule ring = ring_all_reduce(n, size);
    CHECK(within(time_of(ring, topology), expected, rounds));
    CHECK(within(time_of(fluid(ring), topology), expected, rounds));
  }
  CHECK(tried > 300);
}

TEST_CASE("halving-doubling and parameter servers are the same in fluid, on any network",
          "[collective_times][properties]") {
  INFO("DBSIM_TEST_SEED=" << test::fresh_seed() << " repeats this");
  for (int repeat = 0; repeat < 300; ++repeat) {
    RandomStream random =
        RandomStreams{test::fresh_seed()}.stream("one level", std::to_string(repeat));
    test::DrawnNetwork drawn = test::draw_network(random);
    const Topology topology{std::move(drawn.network)};
    const std::size_t n = topology.hosts();
    if (n < 2 || topology.first_apart(n)) continue;
    const Bytes size{std::pow(10.0, 9.0 * random.uniform())};
    CAPTURE(repeat, drawn.kind, n, size.count());
    for (const Schedule& schedule : {halving_doubling(n, size), parameter_server(n - 1, 1, size)}) {
      CHECK(time_of(fluid(schedule), topology) == time_of(schedule, topology));
    }
  }
}

TEST_CASE("fluid agrees with message within 1 % on networks of every shape", "[collective_times]") {
  constexpr std::size_t workers = 16;
  const Cable cable{bandwidth, Seconds{5e-6}};
  const Cable inside{BytesPerSecond{100e9}, Seconds{1e-6}};
  const std::vector<Network> networks{
      star(workers, bandwidth, latency),
      leaf_spine({.leaves = 4, .hosts = 4, .spines = 1, .link = cable}),
      leaf_spine({.leaves = 4, .hosts = 4, .spines = 2, .link = cable, .oversubscription = 4.0}),
      fat_tree({.k = 4, .link = cable}),
      torus({.sizes = {4, 4}, .link = cable}),
      dragonfly({.groups = 4,
                 .routers = 2,
                 .hosts = 2,
                 .global_links = 2,
                 .link = cable,
                 .global_link = cable}),
      gpu_nodes({.gpus = 4, .inside = inside, .outside = SingleSwitch{.link = cable}}, workers)};
  for (const double size : {1e4, 1e6, 1e8}) {
    const Bytes all{size};
    const std::vector<Schedule> schedules{
        ring_all_reduce(workers, all), halving_doubling(workers, all),
        hierarchical_all_reduce(workers, 4, all), parameter_server(workers - 2, 2, all),
        double_binary_tree(workers, all, Bytes{512.0 * 1024.0})};
    for (std::size_t i = 0; i < networks.size(); ++i) {
      const Topology topology{networks[i]};
      for (std::size_t j = 0; j < schedules.size(); ++j) {
        CAPTURE(size, i, j);
        const double expected = to_seconds(time_of(schedules[j], topology)).count();
        CHECK(to_seconds(time_of(fluid(schedules[j]), topology)).count() ==
              Approx(expected).epsilon(0.01));
      }
    }
  }
}
