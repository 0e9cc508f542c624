// What must hold of flows on any network: on all shapes and on random graphs, through their routes,
// in time. Each run draws new ones.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/transfers.hpp"
#include "sim/topology/topology.hpp"
#include "tests/catch.hpp"
#include "tests/support/fresh_seed.hpp"
#include "tests/support/networks.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

struct Flow {
  Route route;
  Transfer transfer;
  Instant at;
  [[nodiscard]] Instant begins() const { return at + to_span(route.latency); }
};

struct Traffic {
  std::string kind;
  Topology topology;
  std::vector<Flow> flows;  // tagged by their place
};

/// Flows between hosts that reach each other, a host and itself included; starts fall together
/// often, limits and weights are rare.
std::vector<Flow> draw_flows(const Topology& topology, RandomStream& random) {
  std::vector<Flow> flows;
  const auto last = static_cast<std::int64_t>(topology.hosts()) - 1;
  const std::int64_t starts = random.whole(0, 3);
  for (std::int64_t left = random.whole(1, 25); left > 0; --left) {
    const auto from = static_cast<NodeIndex>(random.whole(0, last));
    const auto to = static_cast<NodeIndex>(random.whole(0, last));
    const auto route = topology.route(from, to, random.bits());
    if (!route) continue;
    Flow flow{*route,
              {.size = Bytes{1e8 * random.lognormal(1.0)}, .tag = flows.size()},
              Instant{to_span(Seconds{0.05 * static_cast<double>(random.whole(0, starts))})}};
    if (random.uniform() < 0.1) flow.transfer.limit = BytesPerSecond{1e9 * random.uniform()};
    if (random.uniform() < 0.1) flow.transfer.weight = static_cast<double>(random.whole(1, 3));
    flows.push_back(std::move(flow));
  }
  return flows;
}

template <class Property>
void on_random_traffic(const std::string& name, int rounds, const Property& property) {
  INFO("DBSIM_TEST_SEED=" << fresh_seed() << " repeats this");
  for (int round = 0; round < rounds; ++round) {
    RandomStream random = RandomStreams{fresh_seed()}.stream(name, std::to_string(round));
    DrawnNetwork drawn = draw_network(random);
    Topology topology{std::move(drawn.network)};
    std::vector<Flow> flows = draw_flows(topology, random);
    CAPTURE(round, drawn.kind, flows.size());
    property(Traffic{drawn.kind, std::move(topology), std::move(flows)}, random);
  }
}

/// Where flows are at one instant.
struct View {
  Instant now;
  std::vector<double> rates;  // 0 where a flow takes no bandwidth
  std::vector<bool> active;   // takes its share
};

/// Calls `look` whenever rates may have changed, with what holds from then on; when each flow
/// finished.
template <class Look>
std::vector<Instant> watch(const Traffic& traffic, const Look& look) {
  Transfers transfers{traffic.topology.capacities()};
  std::vector<TransferIndex> index;
  for (const Flow& flow : traffic.flows) {
    index.push_back(transfers.start(flow.route, flow.transfer, flow.at));
  }
  std::vector<Instant> finished(traffic.flows.size());
  std::vector<bool> through(traffic.flows.size(), false);
  while (const auto next = transfers.next_change()) {
    for (const std::uint64_t tag : transfers.advance(*next)) {
      finished[tag] = *next;
      through[tag] = true;
    }
    View view{*next, {}, {}};
    for (std::size_t i = 0; i < index.size(); ++i) {
      view.rates.push_back(through[i] ? 0.0 : transfers.rate(index[i]).count());
      view.active.push_back(!through[i] && traffic.flows[i].begins() <= *next);
    }
    look(view);
  }
  REQUIRE(std::ranges::count(through, true) == static_cast<std::ptrdiff_t>(through.size()));
  return finished;
}

std::vector<Instant> finishes(const Traffic& traffic) {
  return watch(traffic, [](const View&) {});
}

std::vector<double> loads(const Traffic& traffic, const std::vector<double>& rates) {
  std::vector<double> load(traffic.topology.capacities().size(), 0.0);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    for (const ChannelIndex channel : traffic.flows[i].route.channels) load[channel] += rates[i];
  }
  return load;
}

double seconds(Instant at) { return to_seconds(at.time_since_epoch()).count(); }

}  // namespace

TEST_CASE("no link carries more than its capacity, at any time", "[network][properties]") {
  on_random_traffic("capacity", 1500, [](const Traffic& traffic, RandomStream&) {
    watch(traffic, [&](const View& view) {
      const std::vector<double> load = loads(traffic, view.rates);
      for (std::size_t c = 0; c < load.size(); ++c) {
        const double capacity = traffic.topology.capacities()[c].count();
        if (load[c] > capacity * (1.0 + 1e-12)) CHECK(load[c] <= capacity);
      }
    });
  });
}

TEST_CASE("every flow has its limit, or a full link on which none has more for its weight",
          "[network][properties]") {
  on_random_traffic("bottlenecks", 1500, [](const Traffic& traffic, RandomStream&) {
    watch(traffic, [&](const View& view) {
      const std::vector<double> load = loads(traffic, view.rates);
      std::vector<double> most(load.size(), 0.0);  // rate for a weight of one, by channel
      for (std::size_t i = 0; i < traffic.flows.size(); ++i) {
        for (const ChannelIndex channel : traffic.flows[i].route.channels) {
          most[channel] = std::max(most[channel], view.rates[i] / traffic.flows[i].transfer.weight);
        }
      }
      for (std::size_t i = 0; i < traffic.flows.size(); ++i) {
        const Flow& flow = traffic.flows[i];
        if (!view.active[i] || flow.route.channels.empty()) continue;
        const double rate = view.rates[i];
        const bool limited = rate >= flow.transfer.limit.count() * (1.0 - 1e-12);
        const bool bound = std::ranges::any_of(flow.route.channels, [&](ChannelIndex channel) {
          return load[channel] >= traffic.topology.capacities()[channel].count() * (1.0 - 1e-9) &&
                 rate / flow.transfer.weight >= most[channel] * (1.0 - 1e-9);
        });
        CAPTURE(i, rate);
        if (!limited && !bound) CHECK((limited || bound));
      }
    });
  });
}

TEST_CASE("what a flow has carried when it is through are its bytes", "[network][properties]") {
  on_random_traffic("bytes", 1500, [](const Traffic& traffic, RandomStream&) {
    std::vector<double> carried(traffic.flows.size(), 0.0);
    std::vector<double> last(traffic.flows.size(), 0.0);
    View before;
    watch(traffic, [&](const View& view) {
      const double span = to_seconds(view.now - before.now).count();
      for (std::size_t i = 0; i < before.rates.size(); ++i) {
        carried[i] += before.rates[i] * span;
        if (before.rates[i] > 0.0) last[i] = before.rates[i];
      }
      before = view;
    });
    for (std::size_t i = 0; i < traffic.flows.size(); ++i) {
      if (traffic.flows[i].route.channels.empty()) continue;
      const double size = traffic.flows[i].transfer.size.count();
      const double rounding = 0.5e-9 * last[i];  // to whole nanoseconds, once, at the end
      if (std::abs(carried[i] - size) > rounding + 1e-9 * size) CHECK(carried[i] == size);
    }
  });
}

TEST_CASE("bandwidths times a factor are times over it", "[network][properties]") {
  on_random_traffic("scaling", 800, [](const Traffic& traffic, RandomStream& random) {
    Traffic still = traffic;  // latencies and starts are no matter of bandwidth
    for (Flow& flow : still.flows) {
      flow.route.latency = Seconds{};
      flow.at = Instant{};
    }
    const double factor = 0.2 + 5.0 * random.uniform();
    Network network = still.topology.network();
    for (Link& link : network.links) {
      link.bandwidth = BytesPerSecond{link.bandwidth.count() * factor};
    }
    for (HostCap& cap : network.caps) {
      cap.bandwidth = BytesPerSecond{cap.bandwidth.count() * factor};
    }
    Traffic scaled{still.kind, Topology{std::move(network)}, still.flows};
    for (Flow& flow : scaled.flows) {
      flow.transfer.limit = BytesPerSecond{flow.transfer.limit.count() * factor};
    }
    const std::vector<Instant> expected = finishes(still);
    const std::vector<Instant> found = finishes(scaled);
    for (std::size_t i = 0; i < found.size(); ++i) {
      // Each completion is at a whole nanosecond, and moves those after it by as much.
      const double rounding = 1e-9 * (1.0 + factor) * static_cast<double>(found.size());
      const double time = seconds(found[i]) * factor;
      if (std::abs(time - seconds(expected[i])) > rounding + 1e-9 * time) {
        CHECK(time == seconds(expected[i]));
      }
    }
  });
}

TEST_CASE("the order in which flows are asked for changes no finish, to the nanosecond",
          "[network][properties]") {
  on_random_traffic("orders", 800, [](const Traffic& traffic, RandomStream& random) {
    const std::vector<Instant> expected = finishes(traffic);
    Traffic shuffled = traffic;
    for (std::size_t i = shuffled.flows.size(); i > 1; --i) {
      const auto other =
          static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(i) - 1));
      std::swap(shuffled.flows[i - 1], shuffled.flows[other]);
    }
    Transfers transfers{shuffled.topology.capacities()};
    for (const Flow& flow : shuffled.flows) transfers.start(flow.route, flow.transfer, flow.at);
    std::vector<Instant> found(expected.size());
    while (const auto next = transfers.next_change()) {
      for (const std::uint64_t tag : transfers.advance(*next)) found[tag] = *next;
    }
    if (found != expected) CHECK(found == expected);
  });
}

TEST_CASE("a flow more changes nothing for those that no chain of shared links joins to it",
          "[network][properties]") {
  on_random_traffic("newcomers", 1500, [](const Traffic& traffic, RandomStream&) {
    if (traffic.flows.empty()) return;
    std::vector<bool> touched(traffic.topology.capacities().size(), false);
    for (const ChannelIndex channel : traffic.flows.back().route.channels) touched[channel] = true;
    std::vector<bool> joined(traffic.flows.size(), false);
    for (bool spreads = true; spreads;) {
      spreads = false;
      for (std::size_t i = 0; i < traffic.flows.size(); ++i) {
        const std::vector<ChannelIndex>& channels = traffic.flows[i].route.channels;
        const bool meets = std::ranges::any_of(channels, [&](auto c) { return touched[c]; });
        if (!meets || joined[i]) continue;
        joined[i] = spreads = true;
        for (const ChannelIndex channel : channels) touched[channel] = true;
      }
    }
    Traffic without = traffic;
    without.flows.pop_back();
    const std::vector<Instant> before = finishes(without);
    const std::vector<Instant> after = finishes(traffic);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (!joined[i] && before[i] != after[i]) CHECK(before[i] == after[i]);
    }
  });
}
