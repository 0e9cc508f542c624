#pragma once
// Max-min fair rates the slow and obvious way, and random networks to compare on.
#include <algorithm>
#include <limits>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/model/fair_share.hpp"

namespace dbsim::test {

struct FillingFlow {
  std::vector<ChannelIndex> channels;
  double limit{std::numeric_limits<double>::infinity()};
  double weight{1.0};  // progressive_filling() knows none but 1
};

struct FillingCase {
  std::vector<BytesPerSecond> capacities;
  std::vector<FillingFlow> flows;
};

/// Raises the rates of all flows together, stops those on a full channel or at their limit, raises
/// the others further, until all have stopped.
inline std::vector<double> progressive_filling(const std::vector<BytesPerSecond>& capacities,
                                               const std::vector<FillingFlow>& flows) {
  constexpr double rounding = 1e-12;
  std::vector<double> rates(flows.size(), 0.0);
  std::vector<bool> stopped(flows.size(), false);
  std::vector<double> free;
  for (const BytesPerSecond capacity : capacities) free.push_back(capacity.count());
  while (std::ranges::find(stopped, false) != stopped.end()) {
    std::vector<double> rising(free.size(), 0.0);
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (stopped[i]) continue;
      for (const ChannelIndex channel : flows[i].channels) rising[channel] += 1.0;
    }
    double raise = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < free.size(); ++c) {
      if (rising[c] > 0.0) raise = std::min(raise, free[c] / rising[c]);
    }
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (!stopped[i]) raise = std::min(raise, flows[i].limit - rates[i]);
    }
    for (std::size_t c = 0; c < free.size(); ++c) {
      if (rising[c] > 0.0) free[c] = std::max(0.0, free[c] - raise * rising[c]);
    }
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (stopped[i]) continue;
      rates[i] += raise;
      stopped[i] = rates[i] >= flows[i].limit * (1.0 - rounding) ||
                   std::ranges::any_of(flows[i].channels, [&](ChannelIndex channel) {
                     return free[channel] <= rounding * capacities[channel].count();
                   });
    }
  }
  return rates;
}

/// Up to `most_channels` channels of all sizes, some alike; flows over a few of them, some limited.
inline FillingCase random_case(RandomStream& random, std::int64_t most_channels,
                               std::int64_t most_flows) {
  FillingCase result;
  const std::int64_t channels = random.whole(1, most_channels);
  const bool alike = random.uniform() < 0.3;
  for (std::int64_t i = 0; i < channels; ++i) {
    const double size = alike ? static_cast<double>(random.whole(1, 3)) : random.lognormal(2.0);
    result.capacities.emplace_back(1e9 * size);
  }
  const std::int64_t flows = random.whole(1, most_flows);
  for (std::int64_t i = 0; i < flows; ++i) {
    FillingFlow flow;
    const std::int64_t length = random.whole(1, std::min<std::int64_t>(channels, 5));
    while (static_cast<std::int64_t>(flow.channels.size()) < length) {
      const auto channel = static_cast<ChannelIndex>(random.whole(0, channels - 1));
      if (std::ranges::find(flow.channels, channel) == flow.channels.end()) {
        flow.channels.push_back(channel);
      }
    }
    if (random.uniform() < 0.3) flow.limit = 1e8 * static_cast<double>(random.whole(1, 10));
    result.flows.push_back(std::move(flow));
  }
  return result;
}

}  // namespace dbsim::test
