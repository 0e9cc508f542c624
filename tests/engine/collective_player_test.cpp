#include "sim/engine/collective_player.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/base/random.hpp"
#include "sim/model/collective_algorithms.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

constexpr BytesPerSecond bandwidth{1.25e9};
constexpr Seconds latency{25e-6};
constexpr Bytes gradient{44.7e6};

Topology quiet_star(std::size_t hosts) { return Topology{star(hosts, bandwidth, latency)}; }

std::vector<Span> all_ready(std::size_t workers) { return std::vector<Span>(workers); }

std::vector<Span> random_offsets(std::size_t workers, Seconds longest, RandomStream& random) {
  std::vector<Span> offsets;
  for (std::size_t i = 0; i < workers; ++i) {
    offsets.push_back(to_span(longest * random.uniform()));
  }
  return offsets;
}

Span milliseconds(std::int64_t count) { return std::chrono::milliseconds{count}; }

bool within(Span found, Seconds expected, std::int64_t nanoseconds) {
  return std::abs((found - to_span(expected)).count()) <= nanoseconds;
}

}  // namespace

TEST_CASE("a ring on a quiet star takes 2 (n - 1) (alpha + S / (n beta))", "[collective_player]") {
  for (const std::size_t n : {2, 3, 4, 7, 16, 100}) {
    const auto played = play(quiet_star(n), ring_all_reduce(n, gradient), all_ready(n));
    const auto rounds = static_cast<std::int64_t>(2 * (n - 1));
    const Seconds round = latency + gradient / bandwidth / static_cast<double>(n);
    CHECK(within(played.last, static_cast<double>(rounds) * round, rounds));
    CHECK(played.finish == std::vector<Span>(n, played.last));
    CHECK(played.messages == 2 * n * (n - 1));
    CHECK(played.stuck.empty());
  }
}

TEST_CASE("a ring of unequal links runs at the pace of the slowest", "[collective_player]") {
  RandomStream random = RandomStreams{41}.stream("player", "links");
  for (int repeat = 0; repeat < 100; ++repeat) {
    const auto n = static_cast<std::size_t>(random.whole(2, 20));
    std::vector<BytesPerSecond> links;
    for (std::size_t i = 0; i < n; ++i) links.emplace_back(1e9 * random.lognormal(0.5));
    const auto played =
        play(Topology{star(links, latency)}, ring_all_reduce(n, gradient), all_ready(n));
    const auto rounds = static_cast<std::int64_t>(2 * (n - 1));
    const Seconds round = latency + gradient / std::ranges::min(links) / static_cast<double>(n);
    CHECK(within(played.last, static_cast<double>(rounds) * round, rounds));
  }
}

TEST_CASE("a parameter server takes 2 (alpha + max(n / k, 1) S / beta)", "[collective_player]") {
  for (const std::size_t n : {2, 3, 8, 32}) {
    for (const std::size_t k : {1, 2, 5}) {
      const auto played = play(quiet_star(n + k), parameter_server(n, k, gradient), all_ready(n));
      const double load = std::max(static_cast<double>(n) / static_cast<double>(k), 1.0);
      CHECK(within(played.last, 2.0 * (latency + load * (gradient / bandwidth)), 2));
      CHECK(played.finish == std::vector<Span>(n, played.last));
      CHECK(played.messages == 2 * n * k);
    }
  }
}

TEST_CASE("an early push is through before the late ones need the server's link",
          "[collective_player]") {
  // Alone until the second comes at 500 ms, together until 1,500 ms, alone until 2,000 ms; then
  // both answers together.
  const Topology topology{star(3, BytesPerSecond{1e9}, Seconds{0.0})};
  const Schedule schedule = parameter_server(2, 1, Bytes{1e9});
  const std::vector<Span> ready{milliseconds(0), milliseconds(500)};
  CHECK(play(topology, schedule, ready).last == milliseconds(4000));
  const std::vector<Span> far_apart{milliseconds(9000), milliseconds(500)};
  CHECK(play(topology, schedule, far_apart).last == milliseconds(12000));
}

TEST_CASE("a parameter server does not care which worker is late", "[collective_player]") {
  RandomStream random = RandomStreams{42}.stream("player", "offsets");
  for (int repeat = 0; repeat < 50; ++repeat) {
    const std::size_t n = 9;
    const Schedule schedule = parameter_server(n, 2, gradient);
    std::vector<Span> ready = random_offsets(n, Seconds{0.3}, random);
    auto played = play(quiet_star(n + 2), schedule, ready);
    std::rotate(ready.begin(), ready.begin() + 4, ready.end());
    std::rotate(played.finish.begin(), played.finish.begin() + 4, played.finish.end());
    const auto rotated = play(quiet_star(n + 2), schedule, ready);
    CHECK(rotated.finish == played.finish);
    CHECK(rotated.last == played.last);
  }
}

TEST_CASE("nobody sends before it is ready", "[collective_player]") {
  const std::vector<Span> ready{milliseconds(0), milliseconds(0), milliseconds(700)};
  const auto late = play(quiet_star(3), ring_all_reduce(3, gradient), ready);
  const auto together = play(quiet_star(3), ring_all_reduce(3, gradient), all_ready(3));
  CHECK(late.last > milliseconds(700));
  CHECK(late.last <= milliseconds(700) + together.last);
}

TEST_CASE("buckets one after another take the sum of their times", "[collective_player]") {
  const std::size_t n = 6;
  for (const Schedule& schedule :
       {ring_all_reduce(n, gradient), parameter_server(n, 2, gradient)}) {
    const auto once = play(quiet_star(n + 2), schedule, all_ready(n));
    const auto played = play(quiet_star(n + 2), schedule.repeated(5), all_ready(n));
    CHECK(played.last == 5 * once.last);
    CHECK(played.messages == 5 * once.messages);
  }
}

TEST_CASE("a worker alone has finished when it is ready", "[collective_player]") {
  const std::vector<Span> ready{milliseconds(3)};
  const auto played = play(quiet_star(1), ring_all_reduce(1, gradient), ready);
  CHECK(played.finish == ready);
  CHECK(played.last == milliseconds(3));
  CHECK(played.messages == 0);
}

TEST_CASE("a collective that waits for itself is reported: who waits for whom",
          "[collective_player]") {
  const auto message = [](NodeIndex from, NodeIndex to, MessageIndex after) {
    return Message{.from = from, .to = to, .size = gradient, .after = {{.message = after}}};
  };
  const Schedule schedule{{message(0, 1, 2), message(1, 2, 0), message(2, 0, 1)}, 1};
  const auto played = play(quiet_star(3), schedule, all_ready(3));
  CHECK(played.messages == 0);
  const MessageName a{.from = 0, .to = 1, .round = 0};
  const MessageName b{.from = 1, .to = 2, .round = 0};
  const MessageName c{.from = 2, .to = 0, .round = 0};
  CHECK(played.stuck == std::vector<StuckMessage>{{a, c}, {b, a}, {c, b}});
}

TEST_CASE("what waits for a whole stage names its last round", "[collective_player]") {
  const auto message = [](NodeIndex from, NodeIndex to, std::vector<Dependency> after) {
    return Message{.from = from, .to = to, .size = gradient, .after = std::move(after)};
  };
  const Schedule schedule{{{.pattern = {message(0, 1, {{.message = 0}})}, .rounds = 3},
                           {.pattern = {message(1, 2, {{0, all_rounds}})}, .rounds = 5}}};
  const auto played = play(quiet_star(3), schedule, all_ready(3));
  const MessageName first{.from = 0, .to = 1, .round = 0};
  const MessageName second{.from = 1, .to = 2, .round = 0};
  const MessageName last_of_first{.from = 0, .to = 1, .round = 2};
  CHECK(played.stuck == std::vector<StuckMessage>{{first, first}, {second, last_of_first}});
}

TEST_CASE("a message without bandwidth is reported beside those that wait for it",
          "[collective_player]") {
  const std::vector<BytesPerSecond> links{bandwidth, BytesPerSecond{0.0}};
  const auto played =
      play(Topology{star(links, latency)}, ring_all_reduce(2, gradient), all_ready(2));
  const MessageName there{.from = 0, .to = 1, .round = 0};
  const MessageName back{.from = 1, .to = 0, .round = 0};
  CHECK(played.stuck == std::vector<StuckMessage>{{there, std::nullopt}, {back, std::nullopt}});
}

TEST_CASE("what is remembered is what would be played", "[collective_player]") {
  RandomStream random = RandomStreams{43}.stream("player", "memory");
  const std::size_t n = 4;
  const Topology topology = quiet_star(n + 1);
  const Schedule schedule = parameter_server(n, 1, gradient);
  CollectiveTimes times{topology, schedule};
  std::vector<std::vector<Span>> seen;
  for (int i = 0; i < 1000; ++i) {  // more than are kept
    if (seen.empty() || random.uniform() < 0.7) {
      seen.push_back(random_offsets(n, Seconds{0.2}, random));
    }
    const auto last = static_cast<std::int64_t>(seen.size()) - 1;
    const std::vector<Span>& ready = seen[static_cast<std::size_t>(random.whole(0, last))];
    const Span expected = play(topology, schedule, ready).last - std::ranges::max(ready);
    CHECK(times.after_last_arrival(ready) == expected);
  }
}

TEST_CASE("the same offsets are played once, whenever they begin", "[collective_player]") {
  CollectiveTimes times{quiet_star(3), parameter_server(2, 1, gradient)};
  const Span first = times.after_last_arrival(std::vector{milliseconds(1), milliseconds(5)});
  CHECK(times.after_last_arrival(std::vector{milliseconds(11), milliseconds(15)}) == first);
  CHECK(times.plays() == 1);
  (void)times.after_last_arrival(std::vector{milliseconds(1), milliseconds(6)});
  CHECK(times.plays() == 2);
}
