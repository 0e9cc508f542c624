#pragma once
// A collective is what its algorithm sends: messages, and which of them wait for which.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/topology/topology.hpp"

namespace dbsim {

using MessageIndex = std::uint32_t;

struct Dependency {
  MessageIndex message{};
  /// 0: of the same round; 1: of the round before; all_rounds: the first round waits for its last.
  std::uint32_t rounds_back{0};
  friend bool operator==(const Dependency&, const Dependency&) = default;
};
inline constexpr std::uint32_t all_rounds = std::numeric_limits<std::uint32_t>::max();

struct Message {
  NodeIndex from{};  // equal to `to`: nothing is sent, a point at which others may wait
  NodeIndex to{};
  Bytes size;
  std::vector<Dependency> after{};  // may start once all of these have arrived
  std::int64_t latencies{1};        // of its route, one after another: of that many rounds in one
  Seconds overhead{};               // before it takes bandwidth, beside all those latencies
  friend bool operator==(const Message&, const Message&) = default;
};

/// Messages that are sent `rounds` times. Each also waits for itself in the round before.
struct Stage {
  std::vector<Message> pattern;
  std::int64_t rounds{1};
};

/// Patterns of messages, each with its number of rounds; a pattern is all that has to be kept: the
/// two million messages of a ring of 1,000 are a pattern of 1,000. Messages are numbered through
/// all stages; between stages, only all_rounds says who waits for whom.
class Schedule {
 public:
  Schedule(std::vector<Message> pattern, std::int64_t rounds);
  explicit Schedule(std::vector<Stage> stages);
  /// The same once more, `repeats` times in all; each starts when the one before has finished
  /// everywhere.
  [[nodiscard]] Schedule repeated(std::int64_t repeats) const;

  /// The messages of all stages.
  [[nodiscard]] std::span<const Message> pattern() const { return pattern_; }
  [[nodiscard]] std::int64_t rounds(MessageIndex message) const { return rounds_[message]; }
  [[nodiscard]] std::size_t stages() const { return first_of_stage_.size() - 1; }
  [[nodiscard]] MessageIndex first_of_stage(std::size_t stage) const {
    return first_of_stage_[stage];  // of the one after the last: the number of messages
  }
  /// Who waits for this message; `rounds_back` as seen from the one that waits.
  [[nodiscard]] std::span<const Dependency> waiting_for(MessageIndex message) const;
  [[nodiscard]] std::int64_t repeats() const { return repeats_; }
  /// Messages that cross the network, all rounds and repeats together.
  [[nodiscard]] std::uint64_t messages() const;
  /// Arrivals of one repeat, those of points that send nothing included.
  [[nodiscard]] std::uint64_t arrivals() const;

 private:
  void check_stage(std::size_t stage) const;
  void list_who_waits();

  std::vector<Message> pattern_;
  std::vector<std::int64_t> rounds_;  // by message
  std::vector<MessageIndex> first_of_stage_;
  std::int64_t repeats_{1};
  std::vector<std::size_t> first_waiting_;
  std::vector<Dependency> waiting_;
};

/// How far a schedule has got. Asked what may start now that a message has arrived; knows no time.
class Progress {
 public:
  explicit Progress(const Schedule& schedule);  // which must outlive it

  /// What may start at once, in rising order. Call once, first.
  [[nodiscard]] std::span<const MessageIndex> begin();
  /// What may start because this message has arrived; valid until the next call.
  [[nodiscard]] std::span<const MessageIndex> arrived(MessageIndex message);
  /// The one of this repeat that is on its way, or comes next.
  [[nodiscard]] std::int64_t round(MessageIndex message) const { return states_[message].arrived; }
  [[nodiscard]] bool complete() const { return left_ == 0 && repeats_left_ == 0; }

  struct Wait {
    MessageIndex message{};
    std::int64_t round{};
    Dependency missing;  // the first one that has not arrived
    friend bool operator==(const Wait&, const Wait&) = default;
  };
  /// Messages that have not started, in their next round, and what they wait for: a deadlock once
  /// nothing moves.
  [[nodiscard]] std::vector<Wait> waits() const;

 private:
  struct State {
    std::int64_t arrived{};   // rounds that have arrived; the next one is on its way or waits
    std::int64_t rounds{};    // as the schedule says
    std::uint32_t pending{};  // dependencies of the next round that have not arrived
  };
  void restart();
  [[nodiscard]] bool has_arrived(Dependency dependency, std::int64_t round) const;
  void prepare(MessageIndex message);

  const Schedule* schedule_;
  std::uint64_t arrivals_;  // of one repeat
  std::vector<State> states_;
  std::vector<MessageIndex> startable_;
  std::uint64_t left_{};
  std::int64_t repeats_left_{};
};

}  // namespace dbsim
