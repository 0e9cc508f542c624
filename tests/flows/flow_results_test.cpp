#include "sim/flows/flow_results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

/// A star of `hosts` with different bandwidths and latencies, and flows between them; some have
/// limits, some wait for earlier ones.
FlowCase some_case(RandomStream& draws, std::size_t hosts, std::size_t flows) {
  Network network{.hosts = hosts, .switches = 1, .links = {}, .routes = {}};
  for (NodeIndex host = 0; host < hosts; ++host) {
    network.links.push_back({.from = host,
                             .to = static_cast<NodeIndex>(hosts),
                             .bandwidth = BytesPerSecond{1e8 * draws.lognormal(0.5)},
                             .latency = Seconds{1e-5 * static_cast<double>(draws.whole(0, 9))},
                             .duplex = draws.uniform() < 0.3 ? Duplex::shared : Duplex::full});
  }
  FlowCase one;
  one.topology = Topology{network};
  one.answers.resize(flows);
  const auto last_host = static_cast<std::int64_t>(hosts) - 1;
  for (std::size_t i = 0; i < flows; ++i) {
    const auto from = static_cast<NodeIndex>(draws.whole(0, last_host));
    const auto to = static_cast<NodeIndex>((from + draws.whole(1, last_host)) % (last_host + 1));
    PlannedFlow flow{.route = one.topology.route(from, to).value(),
                     .size = Bytes{1e8 * draws.uniform()},
                     .start = Seconds{draws.uniform()}};
    if (draws.uniform() < 0.3) flow.limit = BytesPerSecond{5e7 * draws.uniform()};
    if (i > 0 && draws.uniform() < 0.4) {
      flow.after.push_back(static_cast<std::size_t>(draws.whole(0, static_cast<int>(i) - 1)));
    }
    one.flows.push_back(flow);
    one.names.push_back(std::to_string(i));
  }
  return one;
}

double finish(const FlowCaseResult& result, std::size_t flow) {
  return result.flows.at(flow).finish.value().count();
}

}  // namespace

TEST_CASE("the order of flows in a file does not matter", "[flow_results]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    RandomStream draws{seed};
    const FlowCase one = some_case(draws, 6, 40);
    const FlowCaseResult result = solve(one);
    std::vector<std::size_t> order(one.flows.size());  // new place -> old place
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size() - 1; i > 0; --i) {
      std::swap(order[i], order[static_cast<std::size_t>(draws.whole(0, static_cast<int>(i)))]);
    }
    std::vector<std::size_t> places(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
    FlowCase shuffled = one;
    for (std::size_t i = 0; i < order.size(); ++i) {
      shuffled.flows[i] = one.flows[order[i]];
      for (std::size_t& before : shuffled.flows[i].after) before = places[before];
    }
    const FlowCaseResult other = solve(shuffled);
    for (std::size_t i = 0; i < order.size(); ++i) {
      // The order of sums may move a finish to the next nanosecond, and those after it.
      CHECK(std::abs(finish(other, i) - finish(result, order[i])) <= 1e-8);
    }
  }
}

TEST_CASE("with rates k times as large and delays a k-th as long, flows finish in a k-th",
          "[flow_results]") {
  constexpr double k = 8.0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    RandomStream draws{seed};
    FlowCase one = some_case(draws, 5, 30);
    FlowCase fast = one;
    Network network = one.topology.network();
    for (Link& link : network.links) link.bandwidth = BytesPerSecond{link.bandwidth.count() * k};
    fast.topology = Topology{network};
    for (PlannedFlow& flow : fast.flows) {
      flow.limit = BytesPerSecond{flow.limit.count() * k};
      flow.start /= k;
      flow.route.latency /= k;
    }
    const FlowCaseResult slow_result = solve(one);
    const FlowCaseResult fast_result = solve(fast);
    for (std::size_t i = 0; i < one.flows.size(); ++i) {
      CHECK(finish(fast_result, i) * k == Approx(finish(slow_result, i)).margin(1e-7));
    }
  }
}

TEST_CASE("n equal flows into one link take n times as long as one", "[flow_results]") {
  constexpr std::size_t n = 50;
  FlowCase one;
  one.topology = Topology{star(n + 1, BytesPerSecond{1e9}, Seconds{2e-5})};
  one.answers.resize(n);
  one.names.resize(n);
  for (NodeIndex host = 0; host < n; ++host) {
    one.flows.push_back({.route = one.topology.route(host, n).value(), .size = Bytes{1e8}});
  }
  const FlowCaseResult result = solve(one);
  for (std::size_t i = 0; i < n; ++i) CHECK(finish(result, i) == Approx(5.00002).epsilon(1e-9));
}

TEST_CASE("differences are relative to the answer", "[flow_results]") {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  CHECK(relative_difference(Seconds{3.0}, Seconds{2.0}) == 0.5);
  CHECK(relative_difference(Seconds{1.0}, Seconds{2.0}) == 0.5);
  CHECK(relative_difference(Seconds{0.0}, Seconds{0.0}) == 0.0);
  CHECK(relative_difference(Seconds{1.0}, Seconds{0.0}) == infinite);
  CHECK(relative_difference(std::nullopt, Seconds{1.0}) == infinite);
}

TEST_CASE("a case is as far off as its worst flow or its makespan", "[flow_results]") {
  FlowCase one;
  one.topology = Topology{star(2, BytesPerSecond{1e9}, Seconds{0.0})};
  const Route way = one.topology.route(0, 1).value();
  one.names = {"short", "long", "unknown"};
  one.flows = {{.route = way, .size = Bytes{1e9}},
               {.route = way, .size = Bytes{1e9}, .start = Seconds{1.0}},
               {.route = way, .size = Bytes{1e9}, .start = Seconds{2.0}}};
  one.answers = {Seconds{0.8}, Seconds{2.0}, std::nullopt};
  FlowCaseResult result = solve(one);
  CHECK(result.difference.value() == Approx(0.25));
  CHECK(result.worst == std::size_t{0});
  CHECK(result.makespan == Seconds{3.0});
  CHECK(result.within(0.26));
  CHECK(!result.within(0.24));
  one.makespan = Seconds{1.5};
  result = solve(one);
  CHECK(result.difference.value() == Approx(1.0));
  FlowVerdict verdict;
  verdict.add(result, 0.5);
  one.answers.assign(3, std::nullopt);
  one.makespan.reset();
  verdict.add(solve(one), 0.5);
  CHECK(verdict.cases == 2);
  CHECK(verdict.with_answers == 1);
  CHECK(verdict.within == 0);
  CHECK(!verdict.good());
}
