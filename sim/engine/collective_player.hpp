#pragma once
// Plays a collective on a network, message by message, and remembers what came out.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/instant.hpp"
#include "sim/engine/live_network.hpp"
#include "sim/model/collective.hpp"
#include "sim/topology/topology.hpp"

namespace dbsim {

struct MessageName {
  NodeIndex from{};
  NodeIndex to{};
  std::int64_t round{};  // of the repeat in which everything stopped
  friend bool operator==(const MessageName&, const MessageName&) = default;
};

/// Who waits for whom in a collective that can never complete.
struct StuckMessage {
  MessageName message;
  std::optional<MessageName> waits_for;  // empty: on its way, with no bandwidth left for it
  friend bool operator==(const StuckMessage&, const StuckMessage&) = default;
};

struct PlayedCollective {
  /// By worker: when its last message had been sent or received; its own start when it had none.
  std::vector<Span> finish;
  Span last{};                      // when everybody had finished
  std::uint64_t messages{};         // that arrived over the network
  std::vector<StuckMessage> stuck;  // empty unless the collective can never complete
};

/// Of every message of the schedule. Needs a path between all hosts that exchange messages.
[[nodiscard]] std::vector<Route> routes_of(const Topology& topology, const Schedule& schedule);

/// Host i sends nothing before ready[i] (which is not negative); hosts beyond (servers) are ready
/// at 0.
[[nodiscard]] PlayedCollective play(const Topology& topology, const Schedule& schedule,
                                    std::span<const Route> routes, std::span<const Span> ready);
[[nodiscard]] PlayedCollective play(const Topology& topology, const Schedule& schedule,
                                    std::span<const Span> ready);
/// The same on a network in use, which has come to `now` and goes on until all has arrived. All
/// times count from the start of the run; hosts beyond are ready at once. Throws RunTooLong.
[[nodiscard]] PlayedCollective play(LiveNetwork& network, const Schedule& schedule,
                                    std::span<const Route> routes, std::span<const Span> ready);

/// The same offsets have the same answer, so each is played once and remembered. A plain value.
class CollectiveTimes {
 public:
  CollectiveTimes(Topology topology, Schedule schedule);

  /// From the last arrival until everybody has finished; `ready` counts from any common moment.
  [[nodiscard]] Span after_last_arrival(std::span<const Span> ready);
  /// The same beside what a steady network carries.
  [[nodiscard]] Span after_last_arrival(std::span<const Span> ready, const LiveNetwork& steady);
  /// The same on a network in use, played at the time that it is; `ready` counts from the start of
  /// the run, and nothing is remembered.
  [[nodiscard]] Span after_last_arrival_on(LiveNetwork& network, std::span<const Span> ready);
  [[nodiscard]] const Topology& topology() const { return topology_; }
  [[nodiscard]] const Schedule& schedule() const { return schedule_; }
  /// How often the network had to be asked.
  [[nodiscard]] std::uint64_t plays() const { return plays_; }

 private:
  struct Answer {
    std::vector<Span> offsets;  // from the first arrival; the key
    Span after_last{};
  };
  template <class Play>
  [[nodiscard]] Span remembered_or(std::span<const Span> ready, const Play& play);
  [[nodiscard]] std::span<const Route> routes();

  Topology topology_;
  Schedule schedule_;
  std::vector<Route> routes_;    // by message; from the first question on
  std::vector<Answer> answers_;  // of fixed size: a new answer displaces the one in its place
  std::uint64_t plays_{};
};

}  // namespace dbsim
