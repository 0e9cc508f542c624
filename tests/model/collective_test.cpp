#include "sim/model/collective.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

struct Observer {
  std::function<void(MessageIndex)> started;
  std::function<void(MessageIndex)> arrived;
};

// Messages arrive in a random order: whatever the network does, it is one of these.
bool drain(const Schedule& schedule, RandomStream& random, const Observer& observer) {
  Progress progress{schedule};
  std::vector<MessageIndex> under_way;
  const auto start = [&](std::span<const MessageIndex> messages) {
    for (const MessageIndex message : messages) {
      observer.started(message);
      under_way.push_back(message);
    }
  };
  start(progress.begin());
  while (!under_way.empty()) {
    const auto last = static_cast<std::int64_t>(under_way.size()) - 1;
    std::swap(under_way[static_cast<std::size_t>(random.whole(0, last))], under_way.back());
    const MessageIndex message = under_way.back();
    under_way.pop_back();
    observer.arrived(message);
    start(progress.arrived(message));
  }
  return progress.complete();
}

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
  for (const Schedule& schedule :
       {ring_all_reduce(1, Bytes{1e6}), parameter_server(1, 1, Bytes{1e6}).repeated(3)}) {
    CHECK(schedule.messages() == 0);
    Progress progress{schedule};
    CHECK(progress.begin().empty());
    CHECK(progress.complete());
  }
}

// In round r rank i sends its chunk i - r; it is added during the first n - 1 rounds, then copied.
TEST_CASE("a ring leaves the whole sum with everybody, in whatever order messages arrive",
          "[collective]") {
  RandomStream random = RandomStreams{21}.stream("collective", "ring");
  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto n = static_cast<std::size_t>(random.whole(2, 9));
    std::vector<std::vector<std::int64_t>> held(n, std::vector<std::int64_t>(n));
    std::vector<std::int64_t> sums(n, 0);
    for (std::size_t rank = 0; rank < n; ++rank) {
      for (std::size_t chunk = 0; chunk < n; ++chunk) {
        held[rank][chunk] = random.whole(0, 1000);
        sums[chunk] += held[rank][chunk];
      }
    }
    const Schedule ring = ring_all_reduce(n, Bytes{1.0});
    std::vector<std::size_t> rounds(n, 0);
    std::vector<std::int64_t> on_the_way(n, 0);
    const auto chunk_of = [&](std::size_t rank) { return (rank + 2 * n - rounds[rank]) % n; };
    const bool complete =
        drain(ring, random,
              {.started = [&](MessageIndex rank) { on_the_way[rank] = held[rank][chunk_of(rank)]; },
               .arrived =
                   [&](MessageIndex rank) {
                     std::int64_t& target = held[(rank + 1) % n][chunk_of(rank)];
                     target = (rounds[rank] < n - 1 ? target : 0) + on_the_way[rank];
                     ++rounds[rank];
                   }});
    CHECK(complete);
    for (const std::vector<std::int64_t>& chunks : held) CHECK(chunks == sums);
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
