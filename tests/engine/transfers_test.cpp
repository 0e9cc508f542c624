#include "sim/engine/transfers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"
#include "tests/model/progressive_filling.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

constexpr Seconds second{1.0};

struct Request {
  Route route;
  Transfer transfer;
  Instant at;
};

Instant after(Seconds seconds) { return Instant{to_span(seconds)}; }

Route over(std::vector<ChannelIndex> channels, Seconds latency = Seconds{0.0}) {
  return {.channels = std::move(channels), .latency = latency};
}

// When each transfer finished, by its tag.
std::map<std::uint64_t, Instant> run(Transfers& transfers) {
  std::map<std::uint64_t, Instant> finished;
  while (const std::optional<Instant> at = transfers.next_change()) {
    for (const std::uint64_t tag : transfers.advance(*at)) finished[tag] = *at;
  }
  return finished;
}

std::map<std::uint64_t, Instant> run(const std::vector<BytesPerSecond>& capacities,
                                     const std::vector<Request>& requests) {
  Transfers transfers{capacities};
  for (const Request& request : requests) {
    transfers.start(request.route, request.transfer, request.at);
  }
  return run(transfers);
}

// Tagged by their place; starts fall together often.
std::vector<Request> random_requests(const FillingCase& network, RandomStream& random) {
  std::vector<Request> requests;
  for (const FillingFlow& flow : network.flows) {
    const Seconds latency{1e-6 * static_cast<double>(random.whole(0, 3))};
    const Seconds start{0.1 * static_cast<double>(random.whole(0, 5))};
    requests.push_back({over(flow.channels, latency),
                        {.size = Bytes{1e9 * random.lognormal(1.0)},
                         .limit = BytesPerSecond{flow.limit},
                         .tag = requests.size()},
                        after(start)});
  }
  return requests;
}

// Event by event in seconds, with rates from scratch after each: slow and obviously right.
std::vector<double> fluid_finishes(const FillingCase& network,
                                   const std::vector<Request>& requests) {
  std::vector<double> left;
  std::vector<double> starts;
  for (const Request& request : requests) {
    left.push_back(request.transfer.size.count());
    starts.push_back(to_seconds(request.at.time_since_epoch()).count() +
                     request.route.latency.count());
  }
  std::vector<double> finishes(requests.size(), -1.0);
  double now = 0.0;
  for (;;) {
    std::vector<FillingFlow> active;
    std::vector<std::size_t> who;
    double next = INFINITY;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (finishes[i] >= 0.0) continue;
      if (starts[i] > now) {
        next = std::min(next, starts[i]);
        continue;
      }
      active.push_back(network.flows[i]);
      who.push_back(i);
    }
    const std::vector<double> rates = progressive_filling(network.capacities, active);
    for (std::size_t i = 0; i < who.size(); ++i) {
      next = std::min(next, now + left[who[i]] / rates[i]);
    }
    if (!std::isfinite(next)) return finishes;
    for (std::size_t i = 0; i < who.size(); ++i) {
      left[who[i]] -= rates[i] * (next - now);
      if (left[who[i]] <= 1e-9 * requests[who[i]].transfer.size.count()) finishes[who[i]] = next;
    }
    now = next;
  }
}

const std::vector<BytesPerSecond> one_channel{BytesPerSecond{1e9}};

}  // namespace

TEST_CASE("a transfer alone takes its latency and its size over its bandwidth", "[transfers]") {
  const auto finished =
      run(one_channel, {{over({0}, Seconds{25e-6}), {.size = Bytes{5e6}, .tag = 7}, {}}});
  CHECK(finished == std::map<std::uint64_t, Instant>{{7, after(Seconds{0.005025})}});
}

TEST_CASE("a transfer takes no bandwidth while it is on its way", "[transfers]") {
  const auto finished = run(one_channel, {{over({0}), {.size = Bytes{1e9}, .tag = 0}, {}},
                                          {over({0}, second), {.size = Bytes{1e9}, .tag = 1}, {}}});
  CHECK(finished.at(0) == after(second));
  CHECK(finished.at(1) == after(2.0 * second));
}

TEST_CASE("a latecomer shares what is left", "[transfers]") {
  const auto finished =
      run(one_channel, {{over({0}), {.size = Bytes{1e9}, .tag = 0}, {}},
                        {over({0}), {.size = Bytes{1e9}, .tag = 1}, after(0.5 * second)}});
  CHECK(finished.at(0) == after(1.5 * second));
  CHECK(finished.at(1) == after(2.0 * second));
}

TEST_CASE("a limit binds although the channel is free", "[transfers]") {
  const Transfer limited{.size = Bytes{1e9}, .limit = BytesPerSecond{0.25e9}};
  CHECK(run(one_channel, {{over({0}), limited, {}}}).at(0) == after(4.0 * second));
}

TEST_CASE("transfers divide a full channel by their weights", "[transfers]") {
  // Three to one until the heavier is through after 4/3 s; then the other has it alone.
  const auto finished =
      run(one_channel, {{over({0}), {.size = Bytes{1e9}, .weight = 3.0, .tag = 0}, {}},
                        {over({0}), {.size = Bytes{1e9}, .weight = 1.0, .tag = 1}, {}}});
  CHECK(finished.at(0) == after(Seconds{4.0 / 3.0}));
  CHECK(finished.at(1) == after(Seconds{2.0}));
}

TEST_CASE("transfers that end at one instant come together, in the order of their tags",
          "[transfers]") {
  Transfers transfers{one_channel};
  for (const std::uint64_t tag : {5, 3, 9, 1}) {
    transfers.start(over({0}), {.size = Bytes{1e9}, .tag = tag}, Instant{});
  }
  REQUIRE(transfers.next_change() == Instant{});
  CHECK(transfers.advance(Instant{}).empty());
  REQUIRE(transfers.next_change() == after(4.0 * second));
  const auto tags = transfers.advance(after(4.0 * second));
  CHECK(std::vector(tags.begin(), tags.end()) == std::vector<std::uint64_t>{1, 3, 5, 9});
  CHECK(transfers.under_way() == 0);
  CHECK(!transfers.next_change().has_value());
}

TEST_CASE("nothing to send, or nothing to cross, takes the latency alone", "[transfers]") {
  const std::vector<BytesPerSecond> broken{BytesPerSecond{0.0}};
  const auto finished = run(broken, {{over({0}, second), {.size = Bytes{0.0}, .tag = 0}, {}},
                                     {over({}, second), {.size = Bytes{1e9}, .tag = 1}, {}}});
  CHECK(finished.at(0) == after(second));
  CHECK(finished.at(1) == after(second));
}

TEST_CASE("a transfer waits through a gap in the bandwidth", "[transfers]") {
  Transfers transfers{one_channel};
  const TransferIndex transfer = transfers.start(over({0}), {.size = Bytes{2e9}}, Instant{});
  transfers.set_bandwidth(0, BytesPerSecond{0.0}, after(second));
  transfers.set_bandwidth(0, BytesPerSecond{0.5e9}, after(4.0 * second));
  (void)transfers.advance(Instant{});
  (void)transfers.advance(after(second));
  CHECK(transfers.next_change() == after(4.0 * second));
  (void)transfers.advance(after(3.0 * second));
  CHECK(transfers.rate(transfer).count() == 0.0);
  CHECK(transfers.left(transfer).count() == 1e9);
  CHECK(run(transfers).at(0) == after(6.0 * second));
}

TEST_CASE("a transfer that never gets bandwidth stays under way", "[transfers]") {
  Transfers transfers{std::vector<BytesPerSecond>{BytesPerSecond{0.0}}};
  transfers.start(over({0}), {.size = Bytes{1.0}}, Instant{});
  CHECK(run(transfers).empty());
  CHECK(transfers.under_way() == 1);
}

TEST_CASE("of two bandwidths set for one instant the last holds", "[transfers]") {
  Transfers transfers{one_channel};
  transfers.start(over({0}), {.size = Bytes{1e9}}, Instant{});
  transfers.set_bandwidth(0, BytesPerSecond{1.0}, Instant{});
  transfers.set_bandwidth(0, BytesPerSecond{0.5e9}, Instant{});
  CHECK(run(transfers).at(0) == after(2.0 * second));
}

TEST_CASE("a crawl beyond 292 years ends where time does", "[transfers]") {
  const std::vector<BytesPerSecond> crawl{BytesPerSecond{1e-3}};
  CHECK(run(crawl, {{over({0}), {.size = Bytes{1e12}}, {}}}).at(0) == Instant::max());
}

TEST_CASE("nothing is done in the past, and no change is passed by", "[transfers]") {
  Transfers transfers{one_channel};
  (void)transfers.advance(after(second));
  CHECK_THROWS_AS(transfers.start(over({0}), {.size = Bytes{1.0}}, Instant{}), BrokenAssumption);
  CHECK_THROWS_AS(transfers.set_bandwidth(0, BytesPerSecond{1.0}, Instant{}), BrokenAssumption);
  transfers.start(over({0}), {.size = Bytes{1.0}}, after(2.0 * second));
  CHECK_THROWS_AS(transfers.advance(after(3.0 * second)), BrokenAssumption);
}

TEST_CASE("a copy goes its own way", "[transfers]") {
  Transfers transfers{one_channel};
  transfers.start(over({0}), {.size = Bytes{1e9}, .tag = 0}, Instant{});
  (void)transfers.advance(Instant{});
  Transfers copy = transfers;
  copy.start(over({0}), {.size = Bytes{1e9}, .tag = 1}, Instant{});
  CHECK(run(copy).at(0) == after(2.0 * second));
  CHECK(run(transfers).at(0) == after(second));
}

TEST_CASE("finish times are those of a fluid model on random networks", "[transfers]") {
  RandomStream random = RandomStreams{31}.stream("transfers", "fluid");
  for (int i = 0; i < 500; ++i) {
    const FillingCase network = random_case(random, 10, 20);
    const std::vector<Request> requests = random_requests(network, random);
    const auto finished = run(network.capacities, requests);
    const std::vector<double> expected = fluid_finishes(network, requests);
    REQUIRE(finished.size() == expected.size());
    for (std::size_t j = 0; j < expected.size(); ++j) {
      const double found = to_seconds(finished.at(j).time_since_epoch()).count();
      if (std::abs(found - expected[j]) > 1e-9 + 1e-8 * expected[j]) CHECK(found == expected[j]);
    }
  }
}

TEST_CASE("rates over time add up to the bytes asked for", "[transfers]") {
  RandomStream random = RandomStreams{32}.stream("transfers", "bytes");
  for (int i = 0; i < 300; ++i) {
    const FillingCase network = random_case(random, 10, 20);
    Transfers transfers{network.capacities};
    std::vector<TransferIndex> index;
    std::vector<bool> running(network.flows.size(), true);
    std::vector<double> through(network.flows.size(), 0.0);
    std::vector<double> rates(network.flows.size(), 0.0);
    const std::vector<Request> requests = random_requests(network, random);
    for (const Request& request : requests) {
      index.push_back(transfers.start(request.route, request.transfer, request.at));
    }
    Instant now;
    while (const std::optional<Instant> at = transfers.next_change()) {
      const double span = to_seconds(*at - now).count();
      for (std::size_t j = 0; j < index.size(); ++j) {
        if (running[j]) through[j] += (rates[j] = transfers.rate(index[j]).count()) * span;
      }
      now = *at;
      for (const std::uint64_t tag : transfers.advance(now)) running[tag] = false;
    }
    for (std::size_t j = 0; j < requests.size(); ++j) {
      const double size = requests[j].transfer.size.count();
      const double rounding = 0.5e-9 * rates[j];  // to whole nanoseconds, once, at the end
      if (std::abs(through[j] - size) > rounding + 1e-9 * size) CHECK(through[j] == size);
    }
  }
}

TEST_CASE("the order of calls does not matter", "[transfers]") {
  RandomStream random = RandomStreams{33}.stream("transfers", "orders");
  for (int i = 0; i < 300; ++i) {
    const FillingCase network = random_case(random, 10, 20);
    std::vector<Request> requests = random_requests(network, random);
    const auto finished = run(network.capacities, requests);
    std::ranges::reverse(requests);
    if (run(network.capacities, requests) != finished) {
      CHECK(run(network.capacities, requests) == finished);
    }
  }
}

TEST_CASE("the same requests an hour later finish an hour later, to the nanosecond",
          "[transfers]") {
  RandomStream random = RandomStreams{34}.stream("transfers", "later");
  for (int i = 0; i < 300; ++i) {
    const FillingCase network = random_case(random, 10, 20);
    std::vector<Request> requests = random_requests(network, random);
    auto finished = run(network.capacities, requests);
    for (Request& request : requests) request.at += std::chrono::hours{1};
    for (auto& [tag, at] : finished) at += std::chrono::hours{1};
    if (run(network.capacities, requests) != finished) {
      CHECK(run(network.capacities, requests) == finished);
    }
  }
}

TEST_CASE("twice the bytes at twice the bandwidth take the same time", "[transfers]") {
  RandomStream random = RandomStreams{35}.stream("transfers", "scale");
  for (int i = 0; i < 300; ++i) {
    FillingCase network = random_case(random, 10, 20);
    std::vector<Request> requests = random_requests(network, random);
    const auto finished = run(network.capacities, requests);
    for (BytesPerSecond& capacity : network.capacities) capacity += capacity;
    for (Request& request : requests) {
      request.transfer.size += request.transfer.size;
      request.transfer.limit += request.transfer.limit;
    }
    if (run(network.capacities, requests) != finished) {
      CHECK(run(network.capacities, requests) == finished);
    }
  }
}
