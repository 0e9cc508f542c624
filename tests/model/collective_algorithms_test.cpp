// Each algorithm's messages, filled with numbers as the literature says what they hold: sums show
// whose gradients have come, and that none was counted twice.
#include "sim/model/collective_algorithms.hpp"

#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/base/random.hpp"
#include "tests/catch.hpp"
#include "tests/model/drain.hpp"

using namespace dbsim;

namespace {

// A gradient of so many units of one byte; a message holds those from `begin` to `end`.
struct Content {
  std::size_t begin{};
  std::size_t end{};
  enum class Then { add, copy } then{};
};
using ContentOf = std::function<Content(MessageIndex, std::size_t round)>;
using Held = std::vector<std::vector<std::int64_t>>;  // by rank and unit

Held random_gradients(std::size_t ranks, std::size_t units, RandomStream& random) {
  Held held(ranks, std::vector<std::int64_t>(units));
  for (std::vector<std::int64_t>& gradient : held) {
    for (std::int64_t& value : gradient) value = random.whole(0, 1'000'000'000);
  }
  return held;
}

std::vector<std::int64_t> sum_of(const Held& held) {
  std::vector<std::int64_t> sums(held.front().size(), 0);
  for (const std::vector<std::int64_t>& gradient : held) {
    for (std::size_t unit = 0; unit < sums.size(); ++unit) sums[unit] += gradient[unit];
  }
  return sums;
}

// What everybody holds in the end; messages leave with what their sender holds at that moment.
Held run(const Schedule& schedule, Held held, const ContentOf& content_of, RandomStream& random) {
  const std::span<const Message> pattern = schedule.pattern();
  std::vector<std::size_t> rounds(pattern.size(), 0);
  Held on_the_way(pattern.size());
  const bool complete = test::drain(
      schedule, random,
      {.started =
           [&](MessageIndex index) {
             const Content content = content_of(index, rounds[index]);
             const Message& message = pattern[index];
             CHECK(message.size.count() == Approx(content.end - content.begin));
             const std::vector<std::int64_t>& sent = held[message.from];
             on_the_way[index].assign(sent.begin() + static_cast<std::ptrdiff_t>(content.begin),
                                      sent.begin() + static_cast<std::ptrdiff_t>(content.end));
           },
       .arrived =
           [&](MessageIndex index) {
             const Content content = content_of(index, rounds[index]++);
             std::vector<std::int64_t>& target = held[pattern[index].to];
             for (std::size_t unit = content.begin; unit < content.end; ++unit) {
               const std::int64_t value = on_the_way[index][unit - content.begin];
               target[unit] = (content.then == Content::Then::add ? target[unit] : 0) + value;
             }
           }});
  CHECK(complete);
  return held;
}

void check_all_reduce(const Schedule& schedule, std::size_t ranks, std::size_t units,
                      const ContentOf& content_of, RandomStream& random) {
  const Held gradients = random_gradients(ranks, units, random);
  const Held result = run(schedule, gradients, content_of, random);
  CHECK(result == Held(ranks, sum_of(gradients)));
}

Content unit(std::size_t index, Content::Then then) { return {index, index + 1, then}; }

std::vector<double> bytes_sent(const Schedule& schedule, std::size_t ranks) {
  std::vector<double> sent(ranks, 0.0);
  for (MessageIndex i = 0; i < schedule.pattern().size(); ++i) {
    const Message& message = schedule.pattern()[i];
    sent[message.from] += message.size.count() * static_cast<double>(schedule.rounds(i));
  }
  return sent;
}

Bytes bytes(std::size_t units) { return Bytes{static_cast<double>(units)}; }

}  // namespace

// In round r rank i sends its chunk i - r; it is added during the first n - 1 rounds, then copied.
TEST_CASE("a ring leaves the whole sum with everybody", "[collective_algorithms]") {
  RandomStream random = RandomStreams{31}.stream("algorithms", "ring");
  for (std::size_t n = 2; n <= 17; ++n) {
    check_all_reduce(
        ring_all_reduce(n, bytes(n)), n, n,
        [&](MessageIndex rank, std::size_t round) {
          return unit((rank + 2 * n - round) % n,
                      round < n - 1 ? Content::Then::add : Content::Then::copy);
        },
        random);
  }
}

TEST_CASE("a reduce-scatter leaves the whole sum of one chunk with each",
          "[collective_algorithms]") {
  RandomStream random = RandomStreams{32}.stream("algorithms", "reduce-scatter");
  for (std::size_t n = 2; n <= 17; ++n) {
    const Held gradients = random_gradients(n, n, random);
    const Held result = run(
        ring_reduce_scatter(n, bytes(n)), gradients,
        [&](MessageIndex rank, std::size_t round) {
          return unit((rank + n - round) % n, Content::Then::add);
        },
        random);
    const std::vector<std::int64_t> sums = sum_of(gradients);
    for (std::size_t rank = 0; rank < n; ++rank) {
      CHECK(result[rank][(rank + 1) % n] == sums[(rank + 1) % n]);
    }
  }
}

TEST_CASE("an all-gather leaves every chunk with everybody", "[collective_algorithms]") {
  RandomStream random = RandomStreams{33}.stream("algorithms", "all-gather");
  for (std::size_t n = 2; n <= 17; ++n) {
    const Held gradients = random_gradients(n, n, random);
    std::vector<std::int64_t> own(n);
    for (std::size_t rank = 0; rank < n; ++rank) own[rank] = gradients[rank][rank];
    const Held result = run(
        ring_all_gather(n, bytes(n)), gradients,
        [&](MessageIndex rank, std::size_t round) {
          return unit((rank + n - round) % n, Content::Then::copy);
        },
        random);
    CHECK(result == Held(n, own));
  }
}

// A rank sends at distance d the d units that its partner goes on with; doubling, its own d.
TEST_CASE("halving and doubling leaves the whole sum with everybody, powers of two or not",
          "[collective_algorithms]") {
  RandomStream random = RandomStreams{34}.stream("algorithms", "halving-doubling");
  for (std::size_t n = 2; n <= 40; ++n) {
    const std::size_t power = std::bit_floor(n);
    const std::size_t extra = n - power;
    const auto steps = static_cast<std::size_t>(std::bit_width(power) - 1);
    const Schedule schedule = halving_doubling(n, bytes(power));
    const auto place_of = [&](NodeIndex host) {
      return host < 2 * extra ? host / 2 : host - extra;
    };
    const auto content_of = [&](MessageIndex index, std::size_t) -> Content {
      const Message& message = schedule.pattern()[index];
      if (index < extra) return {0, power, Content::Then::add};
      const std::size_t step = (index - extra) / power;
      if (step >= 2 * steps) return {0, power, Content::Then::copy};
      const std::size_t from = place_of(message.from);
      const std::size_t to = place_of(message.to);
      const std::size_t distance = from ^ to;
      const bool halving = step < steps;
      CHECK(distance == (halving ? power >> (step + 1) : std::size_t{1} << (step - steps)));
      const std::size_t keeper = halving ? to : from;
      const std::size_t begin = keeper / distance * distance;
      return {begin, begin + distance, halving ? Content::Then::add : Content::Then::copy};
    };
    check_all_reduce(schedule, n, power, content_of, random);
  }
}

TEST_CASE("a double binary tree leaves the whole sum with everybody", "[collective_algorithms]") {
  RandomStream random = RandomStreams{35}.stream("algorithms", "double-binary-tree");
  for (std::size_t n = 2; n <= 33; ++n) {
    for (const std::size_t chunks : {1, 2, 5}) {
      const Schedule schedule = double_binary_tree(n, bytes(2 * chunks), Bytes{1.0});
      check_all_reduce(
          schedule, n, 2 * chunks,
          [&](MessageIndex index, std::size_t round) {
            const std::size_t tree = index / (n - 1) % 2;
            return unit(tree * chunks + round,
                        index < 2 * (n - 1) ? Content::Then::add : Content::Then::copy);
          },
          random);
    }
  }
}

TEST_CASE("hierarchical rings leave the whole sum with everybody", "[collective_algorithms]") {
  RandomStream random = RandomStreams{36}.stream("algorithms", "hierarchical");
  for (std::size_t local = 1; local <= 6; ++local) {
    for (std::size_t nodes = 1; nodes <= 6; ++nodes) {
      const std::size_t n = local * nodes;
      const auto part = [&](std::size_t index, Content::Then then) -> Content {
        return {index * nodes, (index + 1) * nodes, then};
      };
      const Schedule schedule = hierarchical_all_reduce(n, local, bytes(n));
      const auto content_of = [&](MessageIndex index, std::size_t round) -> Content {
        const std::size_t rank = index % n;
        const std::size_t stage = index / n + (local == 1 ? 1 : 0);
        const std::size_t place = rank % local;
        const std::size_t kept = (place + 1) % local;
        if (stage == 0) return part((place + local - round) % local, Content::Then::add);
        if (stage == 1 && nodes > 1) {
          const std::size_t piece = (rank / local + 2 * nodes - round) % nodes;
          return unit(kept * nodes + piece,
                      round < nodes - 1 ? Content::Then::add : Content::Then::copy);
        }
        return part((kept + local - round) % local, Content::Then::copy);
      };
      if (n > 1) check_all_reduce(schedule, n, n, content_of, random);
    }
  }
}

TEST_CASE(
    "a ring and halving-doubling send the least that is possible, 2 (n - 1)/n of the gradient",
    "[collective_algorithms]") {
  for (const std::size_t n : {2, 4, 8, 64, 256}) {
    const double least = 2e6 * static_cast<double>(n - 1) / static_cast<double>(n);
    for (const Schedule& schedule :
         {ring_all_reduce(n, Bytes{1e6}), halving_doubling(n, Bytes{1e6}),
          hierarchical_all_reduce(n, 2, Bytes{1e6}), fluid(ring_all_reduce(n, Bytes{1e6})),
          fluid(hierarchical_all_reduce(n, 2, Bytes{1e6}))}) {
      for (const double sent : bytes_sent(schedule, n)) CHECK(sent == Approx(least));
    }
  }
}

TEST_CASE("in a double binary tree nobody sends or receives more than twice the gradient",
          "[collective_algorithms]") {
  for (std::size_t n = 2; n <= 300; ++n) {
    const Schedule schedule = double_binary_tree(n, Bytes{1e6}, Bytes{1e5});
    std::vector<double> received(n, 0.0);
    double all = 0.0;
    for (MessageIndex i = 0; i < schedule.pattern().size(); ++i) {
      const Message& message = schedule.pattern()[i];
      received[message.to] += message.size.count() * static_cast<double>(schedule.rounds(i));
    }
    const std::vector<double> sent = bytes_sent(schedule, n);
    for (std::size_t rank = 0; rank < n; ++rank) {
      CHECK(sent[rank] <= 2e6 * (1 + 1e-12));
      CHECK(received[rank] <= 2e6 * (1 + 1e-12));
      all += sent[rank];
    }
    CHECK(all == Approx(2e6 * static_cast<double>(n - 1)));  // as much as around a ring
  }
}

TEST_CASE("a fluid ring of 1,000 is 1,000 flows", "[collective_algorithms]") {
  const Schedule flows = fluid(ring_all_reduce(1000, Bytes{1e6}));
  CHECK(flows.messages() == 1000);
  for (const Message& flow : flows.pattern()) {
    CHECK(flow.size.count() == Approx(2e6 * 0.999));
    CHECK(flow.latencies == 1998);
    CHECK(flow.after.empty());
  }
}

TEST_CASE("merging loses no bytes between any two hosts, and no repeats",
          "[collective_algorithms]") {
  constexpr std::size_t hosts = 40;
  const auto edges = [](const Schedule& schedule) {
    std::vector<double> sent(hosts * hosts, 0.0);
    for (MessageIndex i = 0; i < schedule.pattern().size(); ++i) {
      const Message& message = schedule.pattern()[i];
      sent[message.from * hosts + message.to] +=
          message.size.count() * static_cast<double>(schedule.rounds(i));
    }
    return sent;
  };
  for (const std::size_t n : {2, 3, 12, 32}) {
    const Bytes size{720720.0};
    for (const Schedule& schedule :
         {ring_all_reduce(n, size), double_binary_tree(n, size, Bytes{1e4}),
          double_binary_tree(n, size, Bytes{2e5}), halving_doubling(n, size),
          parameter_server(n, 3, size)}) {
      const std::vector<double> expected = edges(schedule);
      const std::vector<double> found = edges(fluid(schedule));
      for (std::size_t edge = 0; edge < expected.size(); ++edge) {
        CHECK(found[edge] == Approx(expected[edge]));
      }
      CHECK(fluid(schedule.repeated(7)).repeats() == 7);
    }
  }
}
