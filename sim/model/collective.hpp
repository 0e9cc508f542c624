#pragma once
// A collective is what its algorithm sends: messages, and which of them wait for which.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/topology/topology.hpp"

namespace dbsim {

enum class CollectiveAlgorithm : std::uint8_t { ring, parameter_server };

using MessageIndex = std::uint32_t;

struct Dependency {
  MessageIndex message{};
  std::uint32_t rounds_back{0};  // 0: of the same round; 1: of the round before
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

struct Message {
  NodeIndex from{};  // equal to `to`: nothing is sent, a point at which others may wait
  NodeIndex to{};
  Bytes size;
  std::vector<Dependency> after;  // may start once all of these have arrived
  friend bool operator==(const Message&, const Message&) = default;
};

/// One pattern of messages sent `rounds` times. Each message also waits for itself in the round
/// before, so a pattern is all that has to be kept: the two million messages of a ring of 1,000 are
/// a pattern of 1,000.
class Schedule {
 public:
  Schedule(std::vector<Message> pattern, std::int64_t rounds);
  /// The same once more, `repeats` times in all; each starts when the one before has finished
  /// everywhere.
  [[nodiscard]] Schedule repeated(std::int64_t repeats) const;

  [[nodiscard]] std::span<const Message> pattern() const { return pattern_; }
  /// Who waits for this message; `rounds_back` as seen from the one that waits.
  [[nodiscard]] std::span<const Dependency> waiting_for(MessageIndex message) const;
  [[nodiscard]] std::int64_t rounds() const { return rounds_; }
  [[nodiscard]] std::int64_t repeats() const { return repeats_; }
  /// Messages that cross the network, all rounds and repeats together.
  [[nodiscard]] std::uint64_t messages() const;

 private:
  std::vector<Message> pattern_;
  std::int64_t rounds_;
  std::int64_t repeats_{1};
  std::vector<std::size_t> first_waiting_;
  std::vector<Dependency> waiting_;
};

/// Ring all-reduce over hosts 0 .. workers-1: 2 (n - 1) rounds, in each of which everybody sends
/// size/n to the right neighbour once the chunk from the left has come and the own previous one is
/// gone.
[[nodiscard]] Schedule ring_all_reduce(std::size_t workers, Bytes size);

/// Hosts 0 .. workers-1 push size/servers to each of the next `servers` hosts; a server answers all
/// of them when all pushes have come.
[[nodiscard]] Schedule parameter_server(std::size_t workers, std::size_t servers, Bytes size);

/// How far a schedule has got. Asked what may start now that a message has arrived; knows no time.
class Progress {
 public:
  explicit Progress(const Schedule& schedule);  // which must outlive it

  /// What may start at once, in rising order. Call once, first.
  [[nodiscard]] std::span<const MessageIndex> begin();
  /// What may start because this message has arrived; valid until the next call.
  [[nodiscard]] std::span<const MessageIndex> arrived(MessageIndex message);
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
    std::uint32_t pending{};  // dependencies of the next round that have not arrived
  };
  void restart();
  [[nodiscard]] bool has_arrived(Dependency dependency, std::int64_t round) const;
  void prepare(MessageIndex message);

  const Schedule* schedule_;
  std::vector<State> states_;
  std::vector<MessageIndex> startable_;
  std::uint64_t left_{};
  std::int64_t repeats_left_{};
};

}  // namespace dbsim
