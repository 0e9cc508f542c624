#pragma once
// A network through a run: the job's messages on it, and what happens on it without the job.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "sim/base/instant.hpp"
#include "sim/base/random.hpp"
#include "sim/engine/event_queue.hpp"
#include "sim/engine/message_delays.hpp"
#include "sim/engine/transfers.hpp"
#include "sim/model/collective.hpp"
#include "sim/model/communication_setup.hpp"
#include "sim/topology/topology.hpp"

namespace dbsim {

/// Links change by their profiles, others' flows come and go, messages are delayed, each by streams
/// and files of its own, whatever the job does. A plain value: a copy goes its own way.
class LiveNetwork {
 public:
  /// Nothing on it but what is asked for.
  explicit LiveNetwork(std::span<const BytesPerSecond> capacities) : transfers_{capacities} {}
  /// `setup`, whose network `topology` is, must outlive it and its copies.
  LiveNetwork(const CommunicationSetup& setup, const Topology& topology,
              const RandomStreams& streams);

  /// Whether a message takes the same time whenever it is asked for.
  [[nodiscard]] bool steady() const { return sources_.empty() && !delays_; }
  [[nodiscard]] Instant now() const { return now_; }

  /// A message that is ready at `at`, not before now. Tags are the caller's.
  void start(const Message& message, const Route& route, MessageIndex tag, Instant at);
  /// As for transfers; what is not the caller's counts too.
  [[nodiscard]] std::optional<Instant> next_change();
  /// Tags of the messages that have arrived.
  std::span<const std::uint64_t> advance(Instant to);

 private:
  struct Profile {
    const BandwidthProfile* profile;
    std::vector<ChannelIndex> channels;
    std::size_t line{};  // that comes next
    Instant turn;        // when this turn of a loop began
  };
  struct OnOff {
    const OnOffTraffic* traffic;
    ChannelIndex gate;
    RandomStream stream;
    bool on{true};
  };
  struct Trace {
    const TracedTraffic* trace;
    std::vector<Route> routes;  // by flow
    std::size_t flow{};         // that comes next
  };
  using Source = std::variant<Profile, OnOff, Trace>;
  static constexpr std::uint64_t first_other_tag = std::uint64_t{1} << 32U;  // above the caller's

  void add(const ConstantTraffic& traffic, const Topology& topology);
  void add(const OnOffTraffic& traffic, const Topology& topology, ChannelIndex gate,
           const RandomStreams& streams);
  void add(const TracedTraffic& traffic, const Topology& topology);
  void add(const LinkProfileSpec& link, const Topology& topology);
  void add_source(Source source, Instant first);

  [[nodiscard]] std::optional<Instant> act(Profile& profile);
  [[nodiscard]] std::optional<Instant> act(OnOff& source);
  [[nodiscard]] std::optional<Instant> act(Trace& source);

  Instant now_;
  Transfers transfers_;
  std::vector<Source> sources_;
  EventQueue<std::size_t> doings_;  // of the sources, each with its next one
  std::optional<MessageDelays> delays_;
  std::uint64_t next_tag_{first_other_tag};
};

}  // namespace dbsim
