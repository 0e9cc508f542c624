#include "sim/model/collective.hpp"

#include <algorithm>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/base/random.hpp"
#include "sim/model/collective_algorithms.hpp"
#include "tests/catch.hpp"
#include "tests/model/drain.hpp"

using namespace dbsim;
using dbsim::test::drain;

namespace {

Message message(NodeIndex from, NodeIndex to, std::vector<Dependency> after) {
  return {.from = from, .to = to, .size = Bytes{1.0}, .after = std::move(after)};
}

}  // namespace

TEST_CASE("a ring sends 2 (n - 1) chunks of size/n from every rank, and keeps one pattern",
          "[collective]") {
  for (const std::size_t ranks : {2, 3, 8, 1000}) {
    const Schedule ring = ring_all_reduce(ranks, Bytes{1e6});
    CHECK(ring.messages() == 2 * ranks * (ranks - 1));
    CHECK(ring.pattern().size() == ranks);
    for (const Message& sent : ring.pattern()) {
      CHECK(sent.size.count() == Approx(1e6 / static_cast<double>(ranks)));
      CHECK(sent.to == (sent.from + 1) % ranks);
    }
  }
}

TEST_CASE("a single worker sends nothing", "[collective]") {
  const Bytes size{1e6};
  for (const Schedule& schedule :
       {ring_all_reduce(1, size), ring_reduce_scatter(1, size), ring_all_gather(1, size),
        double_binary_tree(1, size, size), halving_doubling(1, size),
        hierarchical_all_reduce(1, 1, size), parameter_server(1, 1, size).repeated(3),
        fluid(ring_all_reduce(1, size))}) {
    CHECK(schedule.messages() == 0);
    Progress progress{schedule};
    CHECK(progress.begin().empty());
    CHECK(progress.complete());
  }
}

TEST_CASE("a server answers everybody once all have pushed, in whatever order", "[collective]") {
  RandomStream random = RandomStreams{22}.stream("collective", "server");
  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto workers = static_cast<std::size_t>(random.whole(2, 9));
    const auto servers = static_cast<std::size_t>(random.whole(1, 4));
    const Schedule schedule = parameter_server(workers, servers, Bytes{12.0});
    CHECK(schedule.messages() == 2 * workers * servers);
    std::vector<std::size_t> pushed(servers, 0);
    std::vector<std::size_t> answered(workers, 0);
    const bool complete =
        drain(schedule, random,
              {.started =
                   [&](MessageIndex index) {
                     const Message& sent = schedule.pattern()[index];
                     if (sent.from >= workers) CHECK(pushed[sent.from - workers] == workers);
                   },
               .arrived =
                   [&](MessageIndex index) {
                     const Message& sent = schedule.pattern()[index];
                     if (sent.from < workers) ++pushed[sent.to - workers];
                     if (sent.to < workers) ++answered[sent.to];
                     if (sent.from != sent.to)
                       CHECK(sent.size.count() * static_cast<double>(servers) == 12.0);
                   }});
    CHECK(complete);
    CHECK(answered == std::vector<std::size_t>(workers, servers));
  }
}

TEST_CASE("a repeat starts when the one before has finished everywhere", "[collective]") {
  RandomStream random = RandomStreams{23}.stream("collective", "repeats");
  const Schedule ring = ring_all_reduce(5, Bytes{1.0});
  const Schedule repeated = ring.repeated(4);
  CHECK(repeated.messages() == 4 * ring.messages());
  std::uint64_t arrived = 0;
  std::uint64_t started = 0;
  const bool complete = drain(repeated, random,
                              {.started =
                                   [&](MessageIndex) {
                                     CHECK(started / ring.messages() <= arrived / ring.messages());
                                     ++started;
                                   },
                               .arrived = [&](MessageIndex) { ++arrived; }});
  CHECK(complete);
  CHECK(arrived == repeated.messages());
}

TEST_CASE("every message starts after what it waits for, in random schedules", "[collective]") {
  RandomStream random = RandomStreams{24}.stream("collective", "random");
  for (int repeat = 0; repeat < 500; ++repeat) {
    const std::int64_t count = random.whole(1, 12);
    const std::int64_t rounds = random.whole(1, 6);
    std::vector<Message> pattern;
    for (std::int64_t i = 0; i < count; ++i) {
      std::vector<Dependency> after;
      for (std::int64_t j = random.whole(0, 4); j > 0; --j) {
        const auto back = static_cast<std::uint32_t>(random.whole(i == 0 ? 1 : 0, 3));
        const std::int64_t last = back == 0 ? i - 1 : count - 1;
        after.push_back({static_cast<MessageIndex>(random.whole(0, last)), back});
      }
      pattern.push_back(message(0, 1, std::move(after)));
    }
    const Schedule schedule{pattern, rounds};
    std::vector<std::int64_t> arrived(pattern.size(), 0);
    const auto in_time = [&](const Dependency& dependency, std::int64_t round) {
      return round - dependency.rounds_back < 0 ||
             arrived[dependency.message] > round - dependency.rounds_back;
    };
    const bool complete = drain(schedule, random,
                                {.started =
                                     [&](MessageIndex index) {
                                       for (const Dependency& needed : pattern[index].after) {
                                         CHECK(in_time(needed, arrived[index]));
                                       }
                                     },
                                 .arrived = [&](MessageIndex index) { ++arrived[index]; }});
    CHECK(complete);
    CHECK(arrived == std::vector<std::int64_t>(pattern.size(), rounds));
  }
}

TEST_CASE("a stage starts where the one before has sent all its rounds", "[collective]") {
  RandomStream random = RandomStreams{25}.stream("collective", "stages");
  // Message 2 waits for all rounds of 0, message 3 for those of 1, whatever else is under way.
  const auto pass = [](std::int64_t rounds, std::vector<Dependency> first,
                       std::vector<Dependency> second) {
    return Stage{.pattern = {message(0, 1, std::move(first)), message(1, 0, std::move(second))},
                 .rounds = rounds};
  };
  const Schedule schedule{
      {pass(3, {}, {}), pass(2, {{0, all_rounds}, {3, 1}}, {{1, all_rounds}, {2, 1}})}};
  CHECK(schedule.messages() == 10);
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::vector<std::int64_t> arrived(4, 0);
    const bool complete = drain(schedule.repeated(2), random,
                                {.started =
                                     [&](MessageIndex index) {
                                       if (arrived == std::vector<std::int64_t>{3, 3, 2, 2}) {
                                         arrived.assign(4, 0);
                                       }
                                       if (index >= 2) CHECK(arrived[index - 2] == 3);
                                     },
                                 .arrived = [&](MessageIndex index) { ++arrived[index]; }});
    CHECK(complete);
    CHECK(arrived == std::vector<std::int64_t>{3, 3, 2, 2});
  }
}

TEST_CASE("a message of another stage is awaited as a whole or not at all", "[collective]") {
  const Stage first{.pattern = {message(0, 1, {})}, .rounds = 2};
  const Stage second{.pattern = {message(1, 0, {{.message = 0}})}, .rounds = 2};
  CHECK_THROWS_AS(Schedule({first, second}), BrokenAssumption);
}

TEST_CASE("messages that wait for each other are named with what they miss", "[collective]") {
  const Schedule schedule{{message(0, 1, {}), message(1, 2, {{.message = 0}, {.message = 2}}),
                           message(2, 1, {{.message = 1}})},
                          1};
  Progress progress{schedule};
  REQUIRE(progress.begin().size() == 1);
  CHECK(progress.arrived(0).empty());
  CHECK(!progress.complete());
  CHECK(progress.waits() ==
        std::vector<Progress::Wait>{{.message = 1, .round = 0, .missing = {.message = 2}},
                                    {.message = 2, .round = 0, .missing = {.message = 1}}});
}

TEST_CASE("a message cannot arrive that has not started", "[collective]") {
  const Schedule schedule{{message(0, 1, {}), message(1, 2, {{.message = 0}})}, 1};
  Progress progress{schedule};
  (void)progress.begin();
  CHECK_THROWS_AS(progress.arrived(1), BrokenAssumption);
}
