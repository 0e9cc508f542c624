#pragma once
// Flows through time: asked for, on their way, at their fair rate, through.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/instant.hpp"
#include "sim/base/units.hpp"
#include "sim/engine/event_queue.hpp"
#include "sim/engine/finish_times.hpp"
#include "sim/model/fair_share.hpp"
#include "sim/topology/topology.hpp"

namespace dbsim {

using TransferIndex = FlowIndex;  // reused once its transfer has finished

struct Transfer {
  Bytes size;
  BytesPerSecond limit{unlimited};
  double weight{1.0};   // share of a full channel, relative to the others'
  std::uint64_t tag{};  // the caller's name for it; finished transfers come in its order
};

/// Asked for at t, a transfer takes no bandwidth until t + the latency of its route; from then on
/// it has its max-min fair rate until its bytes are through. The answers of one instant do not
/// depend on the order of the calls made at it, as long as tags differ. A plain value: a copy goes
/// its own way.
class Transfers {
 public:
  explicit Transfers(std::span<const BytesPerSecond> capacities);

  /// Neither may lie before the instant last advanced to.
  TransferIndex start(const Route& route, const Transfer& transfer, Instant at);
  void set_bandwidth(ChannelIndex channel, BytesPerSecond bandwidth, Instant at);

  /// The next instant at which something happens by itself; empty when nothing ever will.
  [[nodiscard]] std::optional<Instant> next_change();
  /// Moves on to `to`, which is not after next_change(), and takes all that happens there at once.
  /// The tags of the transfers that finished, in rising order; valid until the next advance().
  std::span<const std::uint64_t> advance(Instant to);

  /// Transfers that have been asked for and are not through.
  [[nodiscard]] std::size_t under_way() const { return under_way_; }
  /// As of now, the instant last advanced to, once all calls for it have been made.
  [[nodiscard]] BytesPerSecond rate(TransferIndex transfer);
  [[nodiscard]] Bytes left(TransferIndex transfer);

 private:
  static constexpr TransferIndex nobody = UINT32_MAX;
  struct Record {
    std::uint64_t tag{};
    double left{};               // bytes, as long as it takes no bandwidth
    TransferIndex next{nobody};  // that begins at the same instant
  };
  struct BandwidthChange {
    ChannelIndex channel;
    double bandwidth;
  };

  void schedule_activation(TransferIndex transfer, Instant at);
  void take_activations();
  void settle();
  void activate(TransferIndex transfer);
  void close(TransferIndex transfer);

  Instant now_;
  FairShare shares_;
  FinishTimes finishes_;
  std::vector<Record> records_;
  std::size_t under_way_{};
  // Transfers asked for one after another often begin together: one event for all of them, by the
  // first, which the others hang on. The last such event, as long as it is to come:
  EventQueue<TransferIndex> activations_;
  TransferIndex latest_{nobody};
  Instant latest_at_;
  EventQueue<BandwidthChange> bandwidth_changes_;
  std::vector<TransferIndex> activated_;
  std::vector<std::uint64_t> finished_;
};

}  // namespace dbsim
