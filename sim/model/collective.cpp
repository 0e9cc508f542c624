#include "sim/model/collective.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/check.hpp"

namespace dbsim {

Schedule::Schedule(std::vector<Message> pattern, std::int64_t rounds)
    : pattern_{std::move(pattern)}, rounds_{rounds} {
  check(rounds_ >= 0, "a pattern is sent from zero times up");
  first_waiting_.assign(pattern_.size() + 1, 0);
  for (const Message& message : pattern_) {
    check(std::isfinite(message.size.count()) && message.size.count() >= 0.0,
          "a message has from zero bytes up");
    for (const Dependency& dependency : message.after) {
      check(dependency.message < pattern_.size(), "a message waits for one of its own pattern");
      ++first_waiting_[dependency.message + 1];
    }
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
  const auto sent = std::ranges::count_if(
      pattern_, [](const Message& message) { return message.from != message.to; });
  return static_cast<std::uint64_t>(sent) * static_cast<std::uint64_t>(rounds_) *
         static_cast<std::uint64_t>(repeats_);
}

Schedule ring_all_reduce(std::size_t workers, Bytes size) {
  if (workers <= 1) return Schedule{{}, 0};
  const auto n = static_cast<MessageIndex>(workers);
  const Bytes chunk{size.count() / static_cast<double>(n)};
  std::vector<Message> pattern;
  pattern.reserve(n);
  for (MessageIndex rank = 0; rank < n; ++rank) {
    const Dependency from_left{.message = (rank + n - 1) % n, .rounds_back = 1};
    pattern.push_back({.from = rank, .to = (rank + 1) % n, .size = chunk, .after = {from_left}});
  }
  return Schedule{std::move(pattern), 2 * (static_cast<std::int64_t>(n) - 1)};
}

Schedule parameter_server(std::size_t workers, std::size_t servers, Bytes size) {
  if (workers <= 1) return Schedule{{}, 0};
  check(servers >= 1, "a parameter server has at least one host");
  const auto n = static_cast<NodeIndex>(workers);
  const auto k = static_cast<NodeIndex>(servers);
  const Bytes part{size.count() / static_cast<double>(k)};
  std::vector<Message> pattern;
  for (NodeIndex server = n; server < n + k; ++server) {
    Message all_pushed{.from = server, .to = server, .size = Bytes{0.0}, .after = {}};
    for (NodeIndex worker = 0; worker < n; ++worker) {
      all_pushed.after.push_back({.message = static_cast<MessageIndex>(pattern.size())});
      pattern.push_back({.from = worker, .to = server, .size = part, .after = {}});
    }
    const Dependency sum{.message = static_cast<MessageIndex>(pattern.size())};
    pattern.push_back(std::move(all_pushed));
    for (NodeIndex worker = 0; worker < n; ++worker) {
      pattern.push_back({.from = server, .to = worker, .size = part, .after = {sum}});
    }
  }
  return Schedule{std::move(pattern), 1};
}

Progress::Progress(const Schedule& schedule)
    : schedule_{&schedule},
      states_(schedule.pattern().size()),
      repeats_left_{schedule.repeats() - 1} {
  left_ = static_cast<std::uint64_t>(schedule.rounds()) * states_.size();
  if (left_ == 0) repeats_left_ = 0;
}

std::span<const MessageIndex> Progress::begin() {
  startable_.clear();
  if (!complete()) restart();
  return startable_;
}

std::span<const MessageIndex> Progress::arrived(MessageIndex message) {
  startable_.clear();
  State& state = states_[message];
  check(state.pending == 0 && state.arrived < schedule_->rounds(), "what arrives has started");
  // Before this message counts as arrived: its own next round is prepared below, from scratch.
  for (const Dependency& waiting : schedule_->waiting_for(message)) {
    State& other = states_[waiting.message];
    const std::int64_t round = state.arrived + waiting.rounds_back;
    if (round != other.arrived || round == schedule_->rounds()) continue;
    if (--other.pending == 0) startable_.push_back(waiting.message);
  }
  ++state.arrived;
  if (state.arrived < schedule_->rounds()) prepare(message);
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
    if (state.pending == 0 || state.arrived == schedule_->rounds()) continue;
    const std::vector<Dependency>& after = schedule_->pattern()[i].after;
    const auto missing = std::ranges::find_if(after, [&](const Dependency& dependency) {
      return !has_arrived(dependency, state.arrived);
    });
    waits.push_back({.message = i, .round = state.arrived, .missing = *missing});
  }
  return waits;
}

void Progress::restart() {
  left_ = static_cast<std::uint64_t>(schedule_->rounds()) * states_.size();
  std::ranges::fill(states_, State{});
  for (MessageIndex i = 0; i < states_.size(); ++i) prepare(i);
}

bool Progress::has_arrived(Dependency dependency, std::int64_t round) const {
  const std::int64_t needed = round - dependency.rounds_back;
  return needed < 0 || states_[dependency.message].arrived > needed;
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
