#pragma once
// What a network carries beside the job, and how its links change while it is used.
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/topology/network.hpp"

namespace dbsim {

struct BandwidthAt {
  Seconds at{};  // from then on
  BytesPerSecond bandwidth;
  friend bool operator==(const BandwidthAt&, const BandwidthAt&) = default;
};

/// Before its first line a link has the bandwidth that the network gives it.
struct BandwidthProfile {
  std::vector<BandwidthAt> lines;  // rising, the first at zero or later
  std::optional<Seconds> loop{};   // it begins again after so long, which is after the last line
  friend bool operator==(const BandwidthProfile&, const BandwidthProfile&) = default;
};

struct LinkProfileSpec {
  std::vector<LinkIndex> links;
  BandwidthProfile profile;
  friend bool operator==(const LinkProfileSpec&, const LinkProfileSpec&) = default;
};

struct FlowEnds {
  NodeIndex from{};
  NodeIndex to{};
  friend bool operator==(const FlowEnds&, const FlowEnds&) = default;
};

/// One flow that lasts as long as the run.
struct ConstantTraffic {
  FlowEnds ends;
  std::optional<BytesPerSecond> limit{};  // empty: takes all it can get
  friend bool operator==(const ConstantTraffic&, const ConstantTraffic&) = default;
};

/// The same in turns: on at first.
struct OnOffTraffic {
  ConstantTraffic flow;
  Seconds on{};
  Seconds off{};
  bool random{false};  // each period is drawn from an exponential distribution with that mean
  std::string name{};  // of its random stream
  friend bool operator==(const OnOffTraffic&, const OnOffTraffic&) = default;
};

struct TracedFlow {
  Seconds start{};
  FlowEnds ends;
  Bytes size;
  std::optional<BytesPerSecond> limit{};
  friend bool operator==(const TracedFlow&, const TracedFlow&) = default;
};
struct TracedTraffic {
  std::vector<TracedFlow> flows;  // by start
  friend bool operator==(const TracedTraffic&, const TracedTraffic&) = default;
};

using TrafficSpec = std::variant<ConstantTraffic, OnOffTraffic, TracedTraffic>;

}  // namespace dbsim
