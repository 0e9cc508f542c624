#include "sim/model/fair_share.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"
#include "tests/model/progressive_filling.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

FlowIndex started(FairShare& shares, const FillingFlow& flow) {
  const FlowIndex index = shares.add(flow.channels, BytesPerSecond{flow.limit}, flow.weight);
  shares.activate(index);
  return index;
}

bool alike(double a, double b) { return a == b || std::abs(a - b) <= 1e-11 * std::abs(b); }

std::vector<double> rates_in_order(const FillingCase& network,
                                   const std::vector<std::size_t>& order) {
  FairShare shares{network.capacities};
  std::vector<FlowIndex> index(network.flows.size());
  for (const std::size_t i : order) {
    const FillingFlow& flow = network.flows[i];
    index[i] = started(shares, flow);
  }
  shares.settle();
  std::vector<double> rates;
  for (const FlowIndex flow : index) rates.push_back(shares.rate(flow).count());
  return rates;
}

std::vector<std::size_t> first_to_last(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

void shuffle(std::vector<std::size_t>& order, RandomStream& random) {
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(i) - 1))]);
  }
}

std::vector<double> rates_of(const FillingCase& network) {
  return rates_in_order(network, first_to_last(network.flows.size()));
}

std::vector<double> loads_of(const FillingCase& network, const std::vector<double>& rates) {
  std::vector<double> loads(network.capacities.size(), 0.0);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    for (const ChannelIndex channel : network.flows[i].channels) loads[channel] += rates[i];
  }
  return loads;
}

template <class Claim>
void on_random_networks(int count, Claim claim) {
  RandomStream random = RandomStreams{11}.stream("fair-share", "networks");
  for (int i = 0; i < count; ++i) claim(random_case(random, 12, 25));
  for (int i = 0; i < count / 50; ++i) claim(random_case(random, 60, 200));
}

}  // namespace

TEST_CASE("flows over one channel divide it equally", "[fair_share]") {
  const std::vector<BytesPerSecond> capacities{BytesPerSecond{9e9}};
  FairShare shares{capacities};
  const std::vector<ChannelIndex> path{0};
  const FlowIndex a = started(shares, {path});
  const FlowIndex b = started(shares, {path});
  const FlowIndex c = started(shares, {path});
  shares.settle();
  for (const FlowIndex flow : {a, b, c}) CHECK(shares.rate(flow).count() == 3e9);
}

TEST_CASE("what a limited flow leaves goes to the others", "[fair_share]") {
  const FillingCase network{{BytesPerSecond{9e9}}, {{{0}, 1e9}, {{0}}, {{0}}}};
  CHECK(rates_of(network) == std::vector<double>{1e9, 4e9, 4e9});
}

TEST_CASE("what a flow cannot use for a bottleneck elsewhere goes to the others", "[fair_share]") {
  // The long flow of a parking lot gets a third of the narrowest part.
  const FillingCase network{{BytesPerSecond{3e9}, BytesPerSecond{10e9}},
                            {{{0, 1}}, {{0}}, {{0}}, {{1}}}};
  CHECK(rates_of(network) == std::vector<double>{1e9, 1e9, 1e9, 9e9});
}

TEST_CASE("flows whose limit is just their share all have it, to the last bit", "[fair_share]") {
  RandomStream random = RandomStreams{14}.stream("fair-share", "limits");
  for (std::size_t count = 1; count <= 200; ++count) {
    const double capacity = 1e9 * random.uniform();
    const double share = capacity / static_cast<double>(count);
    const FillingCase network{{BytesPerSecond{capacity}},
                              std::vector<FillingFlow>(count, {{0}, share})};
    CHECK(rates_of(network) == std::vector<double>(count, share));
  }
}

TEST_CASE("a flow that crosses a channel twice counts there twice", "[fair_share]") {
  const FillingCase network{{BytesPerSecond{3e9}}, {{{0, 0}}, {{0}}}};
  CHECK(rates_of(network) == std::vector<double>{1e9, 1e9});
  FairShare shares{network.capacities};
  const FlowIndex twice = started(shares, network.flows[0]);
  const FlowIndex once = started(shares, network.flows[1]);
  shares.remove(twice);
  shares.settle();
  CHECK(shares.rate(once).count() == 3e9);
}

TEST_CASE("a flow without channels has its limit as its rate", "[fair_share]") {
  FairShare shares{std::vector<BytesPerSecond>{}};
  const FlowIndex free = started(shares, {});
  const FlowIndex limited = started(shares, {{}, 5.0});
  shares.settle();
  CHECK(std::isinf(shares.rate(free).count()));
  CHECK(shares.rate(limited).count() == 5.0);
  shares.forget_changes();
  CHECK(shares.settled());
}

TEST_CASE("a channel without capacity stops its flows and no others", "[fair_share]") {
  const FillingCase network{{BytesPerSecond{0.0}, BytesPerSecond{4e9}}, {{{0, 1}}, {{1}}}};
  CHECK(rates_of(network) == std::vector<double>{0.0, 4e9});
}

TEST_CASE("rates are those of progressive filling on thousands of random networks",
          "[fair_share]") {
  on_random_networks(5000, [](const FillingCase& network) {
    const std::vector<double> rates = rates_of(network);
    const std::vector<double> slow = progressive_filling(network.capacities, network.flows);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      if (std::abs(rates[i] - slow[i]) > 1e-9 * slow[i]) CHECK(rates[i] == slow[i]);
    }
  });
}

TEST_CASE("no channel carries more than its capacity", "[fair_share]") {
  on_random_networks(2000, [](const FillingCase& network) {
    const std::vector<double> loads = loads_of(network, rates_of(network));
    for (std::size_t c = 0; c < loads.size(); ++c) {
      const double capacity = network.capacities[c].count();
      if (loads[c] > capacity * (1.0 + 1e-12)) CHECK(loads[c] == capacity);
    }
  });
}

TEST_CASE("every flow has its limit, or a full channel on which nobody has more", "[fair_share]") {
  on_random_networks(2000, [](const FillingCase& network) {
    const std::vector<double> rates = rates_of(network);
    const std::vector<double> loads = loads_of(network, rates);
    std::vector<double> highest(loads.size(), 0.0);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      for (const ChannelIndex channel : network.flows[i].channels) {
        highest[channel] = std::max(highest[channel], rates[i]);
      }
    }
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const FillingFlow& flow = network.flows[i];
      const bool content = std::ranges::any_of(flow.channels, [&](ChannelIndex channel) {
        return loads[channel] >= network.capacities[channel].count() * (1.0 - 1e-12) &&
               rates[i] >= highest[channel] * (1.0 - 1e-12);
      });
      if (!content) CHECK(rates[i] == flow.limit);
    }
  });
}

TEST_CASE("rates do not depend on the order in which flows came, up to rounding", "[fair_share]") {
  RandomStream random = RandomStreams{12}.stream("fair-share", "orders");
  on_random_networks(1000, [&](const FillingCase& network) {
    std::vector<std::size_t> order = first_to_last(network.flows.size());
    const std::vector<double> rates = rates_in_order(network, order);
    for (int i = 0; i < 3; ++i) {
      shuffle(order, random);
      if (!std::ranges::equal(rates_in_order(network, order), rates, alike)) {
        CHECK(rates_in_order(network, order) == rates);
      }
    }
  });
}

TEST_CASE("twice the capacities and limits are twice the rates", "[fair_share]") {
  on_random_networks(1000, [](const FillingCase& network) {
    FillingCase twice = network;
    for (BytesPerSecond& capacity : twice.capacities) capacity += capacity;
    for (FillingFlow& flow : twice.flows) flow.limit *= 2.0;
    std::vector<double> rates = rates_of(network);
    for (double& rate : rates) rate *= 2.0;
    if (rates_of(twice) != rates) CHECK(rates_of(twice) == rates);
  });
}

TEST_CASE("rates after any changes are those of a fresh start, and all that changed is named",
          "[fair_share]") {
  RandomStream random = RandomStreams{13}.stream("fair-share", "changes");
  struct Present {
    std::size_t flow;
    FlowIndex index;
    double rate;
  };
  for (int network_index = 0; network_index < 200; ++network_index) {
    FillingCase pool = random_case(random, 30, 60);
    FairShare shares{pool.capacities};
    std::vector<Present> present;
    for (int step = 0; step < 100; ++step) {
      for (std::int64_t changes = random.whole(1, 4); changes > 0; --changes) {
        const double what = random.uniform();
        if (what < 0.45 || present.empty()) {
          const auto last = static_cast<std::int64_t>(pool.flows.size()) - 1;
          const auto flow = static_cast<std::size_t>(random.whole(0, last));
          present.push_back({flow, started(shares, pool.flows[flow]), 0.0});
        } else if (what < 0.85) {
          const auto last = static_cast<std::int64_t>(present.size()) - 1;
          const auto gone = present.begin() + random.whole(0, last);
          shares.remove(gone->index);
          present.erase(gone);
        } else {
          const auto last = static_cast<std::int64_t>(pool.capacities.size()) - 1;
          const auto channel = static_cast<ChannelIndex>(random.whole(0, last));
          const double none = random.uniform() < 0.1 ? 0.0 : 1.0;
          pool.capacities[channel] = BytesPerSecond{none * 1e9 * random.lognormal(1.0)};
          shares.set_capacity(channel, pool.capacities[channel]);
        }
      }
      shares.settle();
      const std::set<GroupIndex> changed(shares.changed_groups().begin(),
                                         shares.changed_groups().end());
      const std::set<FlowIndex> moved(shares.moved_flows().begin(), shares.moved_flows().end());
      shares.forget_changes();
      std::vector<FillingFlow> flows;
      for (const Present& one : present) flows.push_back(pool.flows[one.flow]);
      const std::vector<double> right = progressive_filling(pool.capacities, flows);
      for (std::size_t i = 0; i < present.size(); ++i) {
        const FlowIndex index = present[i].index;
        const double rate = shares.rate(index).count();
        if (std::abs(rate - right[i]) > 1e-9 * right[i]) CHECK(rate == right[i]);
        const bool named = changed.contains(shares.group(index)) || moved.contains(index);
        if (!named && rate != present[i].rate) CHECK(rate == present[i].rate);
        present[i].rate = rate;
      }
    }
  }
}

TEST_CASE("a newcomer leaves alone whom no chain of shared channels joins to it", "[fair_share]") {
  RandomStream random = RandomStreams{16}.stream("fair-share", "apart");
  for (int i = 0; i < 500; ++i) {
    const FillingCase here = random_case(random, 10, 15);
    FillingCase both = random_case(random, 10, 15);
    const auto offset = static_cast<ChannelIndex>(both.capacities.size());
    both.capacities.insert(both.capacities.end(), here.capacities.begin(), here.capacities.end());
    FairShare shares{both.capacities};
    std::vector<FlowIndex> flows;
    for (const FillingFlow& flow : both.flows) flows.push_back(started(shares, flow));
    shares.settle();
    std::vector<double> before;
    for (const FlowIndex flow : flows) before.push_back(shares.rate(flow).count());
    for (FillingFlow flow : here.flows) {
      for (ChannelIndex& channel : flow.channels) channel += offset;
      (void)started(shares, flow);
      shares.settle();
    }
    for (std::size_t k = 0; k < flows.size(); ++k) {
      if (shares.rate(flows[k]).count() != before[k]) {
        CHECK(shares.rate(flows[k]).count() == before[k]);
      }
    }
  }
}

TEST_CASE("a newcomer may speed up a flow that it shares no channel with", "[fair_share]") {
  // It takes from the long flow, which leaves more to the one at its other end.
  const std::vector<BytesPerSecond> capacities{BytesPerSecond{4e9}, BytesPerSecond{6e9}};
  const FillingCase without{capacities, {{{0, 1}}, {{1}}}};
  const FillingCase with{capacities, {{{0, 1}}, {{1}}, {{0}}}};
  CHECK(rates_of(without) == std::vector<double>{3e9, 3e9});
  CHECK(rates_of(with) == std::vector<double>{2e9, 4e9, 2e9});
}

TEST_CASE("a flow counts as often as its weight says", "[fair_share]") {
  const FillingCase network{{BytesPerSecond{9e9}}, {{{0}, unlimited.count(), 2.0}, {{0}}}};
  CHECK(rates_of(network) == std::vector<double>{6e9, 3e9});
}

TEST_CASE("a flow's rate depends on its weight as on so many flows", "[fair_share]") {
  RandomStream random = RandomStreams{15}.stream("fair-share", "weights");
  for (int i = 0; i < 500; ++i) {
    FillingCase weighted = random_case(random, 12, 15);
    FillingCase many{weighted.capacities, {}};
    std::vector<std::size_t> first;
    for (FillingFlow& flow : weighted.flows) {
      const std::int64_t copies = random.whole(1, 4);
      first.push_back(many.flows.size());
      many.flows.insert(many.flows.end(), static_cast<std::size_t>(copies), flow);
      flow.weight = static_cast<double>(copies);
      flow.limit *= flow.weight;
    }
    const std::vector<double> rates = rates_of(weighted);
    const std::vector<double> parts = progressive_filling(many.capacities, many.flows);
    for (std::size_t k = 0; k < rates.size(); ++k) {
      const double whole = parts[first[k]] * weighted.flows[k].weight;
      if (std::abs(rates[k] - whole) > 1e-9 * whole) CHECK(rates[k] == whole);
    }
  }
}

TEST_CASE("a capacity that is no number is refused", "[fair_share]") {
  const std::vector<BytesPerSecond> bad{BytesPerSecond{-1.0}};
  CHECK_THROWS_AS(FairShare{bad}, BrokenAssumption);
}
