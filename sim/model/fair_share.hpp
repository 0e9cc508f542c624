#pragma once
// Max-min fair rates of flows that divide channels: nobody can have more without taking it from one
// who has no more. Knows no time.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/topology/topology.hpp"

namespace dbsim {

using FlowIndex = std::uint32_t;  // reused once its flow has been removed

inline constexpr BytesPerSecond unlimited{std::numeric_limits<double>::infinity()};

/// Rates depend on the flows and capacities of the moment alone, bit for bit: neither on the order
/// in which flows came nor on those that were there before. Only flows that share a channel with a
/// change, directly or through others, are looked at again.
class FairShare {
 public:
  explicit FairShare(std::span<const BytesPerSecond> capacities);

  /// A flow over these channels that never takes more than `limit`. One without channels has the
  /// limit as its rate; one that crosses a channel twice counts there twice.
  [[nodiscard]] FlowIndex add(std::span<const ChannelIndex> channels, BytesPerSecond limit);
  void remove(FlowIndex flow);
  void set_capacity(ChannelIndex channel, BytesPerSecond capacity);

  /// Brings all rates up to date after any number of changes. The flows whose rate is another one
  /// now, in no particular order; valid until the next change.
  [[nodiscard]] std::span<const FlowIndex> settle();
  /// As of the last settle(); zero before the first.
  [[nodiscard]] BytesPerSecond rate(FlowIndex flow) const {
    return BytesPerSecond{flows_[flow].rate};
  }
  [[nodiscard]] bool settled() const { return touched_channels_.empty() && touched_flows_.empty(); }

 private:
  struct Crossing {  // of one flow over one channel
    ChannelIndex channel;
    std::uint32_t place;  // in Channel::flows
  };
  struct Member {  // the other side of a crossing
    FlowIndex flow;
    std::uint32_t crossing;  // in Flow::path
  };
  struct Flow {
    std::vector<Crossing> path;
    double limit{};
    double rate{};
    double next_rate{};
    std::uint64_t seen{};  // in which component search
    bool frozen{};
  };
  struct Channel {
    std::vector<Member> flows;
    double capacity{};
    double taken{};       // by flows whose next rate is known
    std::size_t open{0};  // crossings of the others
    std::uint64_t seen{};
    bool touched{};
  };
  struct Level {  // the rate at which a channel would be full
    double rate;
    ChannelIndex channel;
    friend bool operator>(const Level& a, const Level& b) {
      return a.rate != b.rate ? a.rate > b.rate : a.channel > b.channel;
    }
  };

  void touch(ChannelIndex channel);
  void reach_channel(ChannelIndex channel);
  void reach_flow(FlowIndex flow);
  void gather();
  void fill();
  void freeze(FlowIndex flow, double rate);
  void freeze_channel(Level level);
  [[nodiscard]] bool raise_lowest();

  std::vector<Channel> channels_;
  std::vector<Flow> flows_;
  std::vector<FlowIndex> free_flows_;
  std::vector<ChannelIndex> touched_channels_;
  std::vector<FlowIndex> touched_flows_;  // without channels
  std::vector<FlowIndex> changed_;
  // The component in hand; kept to save allocations.
  std::uint64_t search_{0};
  std::vector<ChannelIndex> component_channels_;
  std::vector<FlowIndex> component_flows_;
  std::vector<FlowIndex> limited_;  // by rising limit
  std::vector<Level> levels_;       // heap, lowest first; rates may be behind, never ahead
  std::size_t frozen_{};
};

}  // namespace dbsim
