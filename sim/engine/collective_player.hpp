#pragma once
// Plays a collective on a network, message by message, and remembers what came out.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/instant.hpp"
#include "sim/model/collective.hpp"
#include "sim/model/topology.hpp"

namespace dbsim {

/// A message that can never start, and one that it waits for: who waits for whom.
struct StuckMessage {
  NodeIndex from{};
  NodeIndex to{};
  std::int64_t round{};
  NodeIndex
      waits_for_from{};  // the missing message; the message itself when no bandwidth is left for it
  NodeIndex waits_for_to{};
  friend bool operator==(const StuckMessage&, const StuckMessage&) = default;
};

struct PlayedCollective {
  std::vector<Span>
      finish;   // by worker: its last message sent or received; its own start when there was none
  Span last{};  // when everybody has finished
  std::uint64_t messages{};         // that crossed the network
  std::vector<StuckMessage> stuck;  // empty unless the collective can never complete
};

/// Host i sends nothing before ready[i] (which is not negative); hosts beyond (servers) are ready
/// at 0. Needs a path between all hosts that exchange messages.
[[nodiscard]] PlayedCollective play(const Topology& topology, const Schedule& schedule,
                                    std::span<const Span> ready);

/// The same offsets have the same answer, so each is played once and remembered. A plain value.
class CollectiveTimes {
 public:
  CollectiveTimes(Topology topology, Schedule schedule);

  /// From the last arrival until everybody has finished; `ready` counts from any common moment.
  [[nodiscard]] Span after_last_arrival(std::span<const Span> ready);
  [[nodiscard]] const Schedule& schedule() const { return schedule_; }
  /// How often the network had to be asked.
  [[nodiscard]] std::uint64_t plays() const { return plays_; }

 private:
  struct Answer {
    std::vector<Span> offsets;  // from the first arrival; the key
    Span after_last{};
  };
  Topology topology_;
  Schedule schedule_;
  std::vector<Answer>
      answers_;  // a table of fixed size: a new answer displaces the one in its place
  std::uint64_t plays_{};
};

}  // namespace dbsim
