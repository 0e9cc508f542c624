#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/model/collective_algorithms.hpp"

namespace dbsim {

namespace {

class Merging {
 public:
  explicit Merging(const Schedule& schedule) : schedule_{schedule} {
    for (std::size_t stage = 0; stage < schedule.stages(); ++stage) place(stage);
    for (MessageIndex i = 0; i < pieces_.size(); ++i) merge(i);
  }
  [[nodiscard]] Schedule schedule() && {
    return Schedule{std::move(merged_), 1}.repeated(schedule_.repeats());
  }

 private:
  // What becomes of a message: all its rounds in one, or the first, those between, and the last.
  struct Pieces {
    MessageIndex first{};
    MessageIndex last{};
  };

  void place(std::size_t stage) {
    const MessageIndex begin = schedule_.first_of_stage(stage);
    const MessageIndex end = schedule_.first_of_stage(stage + 1);
    const auto of_stage = schedule_.pattern().subspan(begin, end - begin);
    const bool pipeline = std::ranges::any_of(of_stage, [](const Message& message) {
      return std::ranges::any_of(
          message.after, [](const Dependency& dependency) { return dependency.rounds_back == 0; });
    });
    for (MessageIndex i = begin; i < end; ++i) {
      check(schedule_.rounds(i) >= 1, "what is merged is sent");
      const std::int64_t pieces = pipeline ? std::min<std::int64_t>(schedule_.rounds(i), 3) : 1;
      pieces_.push_back({.first = next_, .last = next_ + static_cast<MessageIndex>(pieces) - 1});
      next_ += static_cast<MessageIndex>(pieces);
    }
  }

  void merge(MessageIndex index) {
    const Message& message = schedule_.pattern()[index];
    const std::int64_t rounds = schedule_.rounds(index);
    const Pieces pieces = pieces_[index];
    Message first = several(message, pieces.first == pieces.last ? rounds : 1);
    Message last = several(message, 1);
    last.after.push_back({.message = pieces.last - 1});
    for (const Dependency& dependency : message.after) {
      const Pieces awaited = pieces_[dependency.message];
      if (dependency.rounds_back == all_rounds) first.after.push_back({.message = awaited.last});
      if (dependency.rounds_back != 0) continue;
      first.after.push_back({.message = awaited.first});
      last.after.push_back({.message = awaited.last});
    }
    merged_.push_back(std::move(first));
    if (pieces.last == pieces.first) return;
    if (pieces.last == pieces.first + 2) {
      Message between = several(message, rounds - 2);
      between.after.push_back({.message = pieces.first});
      merged_.push_back(std::move(between));
    }
    merged_.push_back(std::move(last));
  }

  [[nodiscard]] static Message several(const Message& message, std::int64_t rounds) {
    return {.from = message.from,
            .to = message.to,
            .size = Bytes{message.size.count() * static_cast<double>(rounds)},
            .after = {},
            .latencies = message.latencies * rounds,
            .overhead = message.overhead * static_cast<double>(rounds)};
  }

  const Schedule& schedule_;
  std::vector<Pieces> pieces_;  // by message of the schedule
  MessageIndex next_{0};
  std::vector<Message> merged_;
};

}  // namespace

Schedule fluid(const Schedule& schedule) { return Merging{schedule}.schedule(); }

}  // namespace dbsim
