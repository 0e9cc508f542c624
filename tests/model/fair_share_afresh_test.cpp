// Many flows at once, which are divided from scratch, and single changes after that.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/model/fair_share.hpp"
#include "tests/catch.hpp"
#include "tests/model/progressive_filling.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

// Hosts under leaves that four spines join, every link of another speed; everybody sends to
// everybody.
FillingCase everybody_to_everybody(ChannelIndex hosts, RandomStream& random) {
  constexpr ChannelIndex hosts_each = 8;
  constexpr ChannelIndex spines = 4;
  const ChannelIndex leaves = hosts / hosts_each;
  const ChannelIndex to_spine = 2 * hosts;
  const ChannelIndex from_spine = to_spine + leaves * spines;
  FillingCase result;
  for (ChannelIndex i = 0; i < from_spine + leaves * spines; ++i) {
    result.capacities.emplace_back(1e9 * random.lognormal(0.5));
  }
  for (ChannelIndex from = 0; from < hosts; ++from) {
    for (ChannelIndex to = 0; to < hosts; ++to) {
      if (from == to) continue;
      FillingFlow flow{{from}};
      const auto spine = static_cast<ChannelIndex>(random.whole(0, spines - 1));
      if (from / hosts_each != to / hosts_each) {
        flow.channels.push_back(to_spine + from / hosts_each * spines + spine);
        flow.channels.push_back(from_spine + to / hosts_each * spines + spine);
      }
      flow.channels.push_back(hosts + to);
      if (random.uniform() < 0.1) flow.limit = 1e7 * random.uniform();
      result.flows.push_back(std::move(flow));
    }
  }
  return result;
}

void check_rates(const FairShare& shares, const std::vector<FlowIndex>& index,
                 const FillingCase& network) {
  const std::vector<double> right = progressive_filling(network.capacities, network.flows);
  for (std::size_t i = 0; i < index.size(); ++i) {
    const double rate = shares.rate(index[i]).count();
    if (std::abs(rate - right[i]) > 1e-9 * right[i]) CHECK(rate == right[i]);
  }
}

}  // namespace

TEST_CASE("thousands of flows that begin at once have max-min fair rates", "[fair_share]") {
  RandomStream random = RandomStreams{51}.stream("fair-share", "afresh");
  for (int round = 0; round < 3; ++round) {
    FillingCase network = everybody_to_everybody(48, random);
    FairShare shares{network.capacities};
    std::vector<FlowIndex> index;
    for (const FillingFlow& flow : network.flows) {
      index.push_back(shares.add(flow.channels, BytesPerSecond{flow.limit}));
      shares.activate(index.back());
    }
    shares.settle();
    check_rates(shares, index, network);
    for (int change = 0; change < 5; ++change) {
      const auto gone =
          static_cast<std::ptrdiff_t>(random.whole(0, static_cast<std::int64_t>(index.size()) - 1));
      shares.remove(index[static_cast<std::size_t>(gone)]);
      index.erase(index.begin() + gone);
      network.flows.erase(network.flows.begin() + gone);
      shares.settle();
      check_rates(shares, index, network);
    }
    const auto channel = static_cast<ChannelIndex>(random.whole(0, 47));
    network.capacities[channel] = BytesPerSecond{3e8};
    shares.set_capacity(channel, network.capacities[channel]);
    shares.settle();
    check_rates(shares, index, network);
  }
}
