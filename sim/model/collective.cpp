#include "sim/model/collective.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

std::vector<Stage> one_stage(std::vector<Message> pattern, std::int64_t rounds) {
  std::vector<Stage> stages;
  stages.push_back({std::move(pattern), rounds});
  return stages;
}

}  // namespace

Schedule::Schedule(std::vector<Message> pattern, std::int64_t rounds)
    : Schedule{one_stage(std::move(pattern), rounds)} {}

Schedule::Schedule(std::vector<Stage> stages) : first_of_stage_{0} {
  for (Stage& stage : stages) {
    check(stage.rounds >= 0, "a pattern is sent from zero times up");
    rounds_.insert(rounds_.end(), stage.pattern.size(), stage.rounds);
    std::ranges::move(stage.pattern, std::back_inserter(pattern_));
    check(pattern_.size() < all_rounds, "a pattern fits its indices");
    first_of_stage_.push_back(static_cast<MessageIndex>(pattern_.size()));
  }
  for (std::size_t stage = 0; stage < stages.size(); ++stage) check_stage(stage);
  list_who_waits();
}

void Schedule::check_stage(std::size_t stage) const {
  for (MessageIndex i = first_of_stage(stage); i < first_of_stage(stage + 1); ++i) {
    const Bytes size = pattern_[i].size;
    check(std::isfinite(size.count()) && size.count() >= 0.0, "a message has from zero bytes up");
    for (const Dependency& dependency : pattern_[i].after) {
      check(dependency.message < pattern_.size(), "a message waits for one of its own schedule");
      const bool same_stage = dependency.message >= first_of_stage(stage) &&
                              dependency.message < first_of_stage(stage + 1);
      check(same_stage || dependency.rounds_back == all_rounds,
            "between stages a message waits for all rounds");
    }
  }
}

void Schedule::list_who_waits() {
  first_waiting_.assign(pattern_.size() + 1, 0);
  for (const Message& message : pattern_) {
    for (const Dependency& dependency : message.after) ++first_waiting_[dependency.message + 1];
  }
  for (std::size_t i = 1; i < first_waiting_.size(); ++i) {
    first_waiting_[i] += first_waiting_[i - 1];
  }
  waiting_.resize(first_waiting_.back());
  std::vector<std::size_t> next = first_waiting_;
  for (MessageIndex i = 0; i < pattern_.size(); ++i) {
    for (const Dependency& dependency : pattern_[i].after) {
      waiting_[next[dependency.message]++] = {i, dependency.rounds_back};
    }
  }
}

Schedule Schedule::repeated(std::int64_t repeats) const {
  check(repeats >= 1, "a schedule is played at least once");
  Schedule result = *this;
  result.repeats_ *= repeats;
  return result;
}

std::span<const Dependency> Schedule::waiting_for(MessageIndex message) const {
  const std::size_t first = first_waiting_[message];
  return std::span{waiting_}.subspan(first, first_waiting_[message + 1] - first);
}

std::uint64_t Schedule::messages() const {
  std::uint64_t sent = 0;
  for (MessageIndex i = 0; i < pattern_.size(); ++i) {
    if (pattern_[i].from != pattern_[i].to) sent += static_cast<std::uint64_t>(rounds_[i]);
  }
  return sent * static_cast<std::uint64_t>(repeats_);
}

std::uint64_t Schedule::arrivals() const {
  std::uint64_t arrivals = 0;
  for (const std::int64_t rounds : rounds_) arrivals += static_cast<std::uint64_t>(rounds);
  return arrivals;
}

Progress::Progress(const Schedule& schedule)
    : schedule_{&schedule},
      arrivals_{schedule.arrivals()},
      states_(schedule.pattern().size()),
      left_{arrivals_},
      repeats_left_{arrivals_ == 0 ? 0 : schedule.repeats() - 1} {}

std::span<const MessageIndex> Progress::begin() {
  startable_.clear();
  if (!complete()) restart();
  return startable_;
}

std::span<const MessageIndex> Progress::arrived(MessageIndex message) {
  startable_.clear();
  State& state = states_[message];
  check(state.pending == 0 && state.arrived < state.rounds, "what arrives has started");
  const bool last = state.arrived + 1 == state.rounds;
  // Before this message counts as arrived: its own next round is prepared below, from scratch.
  for (const Dependency& waiting : schedule_->waiting_for(message)) {
    if (waiting.rounds_back == all_rounds && !last) continue;
    State& other = states_[waiting.message];
    const std::int64_t round =
        waiting.rounds_back == all_rounds ? 0 : state.arrived + waiting.rounds_back;
    if (round != other.arrived || round == other.rounds) continue;
    if (--other.pending == 0) startable_.push_back(waiting.message);
  }
  ++state.arrived;
  if (!last) prepare(message);
  if (--left_ == 0 && repeats_left_ > 0) {
    --repeats_left_;
    restart();
  }
  return startable_;
}

std::vector<Progress::Wait> Progress::waits() const {
  std::vector<Wait> waits;
  for (MessageIndex i = 0; i < states_.size(); ++i) {
    const State& state = states_[i];
    if (state.pending == 0 || state.arrived == state.rounds) continue;
    const std::vector<Dependency>& after = schedule_->pattern()[i].after;
    const auto missing = std::ranges::find_if(after, [&](const Dependency& dependency) {
      return !has_arrived(dependency, state.arrived);
    });
    waits.push_back({.message = i, .round = state.arrived, .missing = *missing});
  }
  return waits;
}

void Progress::restart() {
  left_ = arrivals_;
  for (MessageIndex i = 0; i < states_.size(); ++i) {
    states_[i] = {.arrived = 0, .rounds = schedule_->rounds(i), .pending = 0};
  }
  for (MessageIndex i = 0; i < states_.size(); ++i) {
    if (states_[i].rounds > 0) prepare(i);
  }
}

bool Progress::has_arrived(Dependency dependency, std::int64_t round) const {
  const State& state = states_[dependency.message];
  if (dependency.rounds_back == all_rounds) return state.arrived == state.rounds;
  const std::int64_t needed = round - dependency.rounds_back;
  return needed < 0 || state.arrived > needed;
}

// A dependency on an earlier round may have arrived while this message was still busy with its own.
void Progress::prepare(MessageIndex message) {
  State& state = states_[message];
  const std::vector<Dependency>& after = schedule_->pattern()[message].after;
  const auto pending = std::ranges::count_if(
      after, [&](const Dependency& dependency) { return !has_arrived(dependency, state.arrived); });
  state.pending = static_cast<std::uint32_t>(pending);
  if (pending == 0) startable_.push_back(message);
}

}  // namespace dbsim
