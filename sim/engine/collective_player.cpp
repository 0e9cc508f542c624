#include "sim/engine/collective_player.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/base/check.hpp"
#include "sim/engine/run_too_long.hpp"

namespace dbsim {

namespace {

// A few hundred patterns of arrivals cover what repeats; noisy runs never repeat and pay only this.
constexpr std::size_t remembered = 256;

// Some ten seconds; what goes on that long without the job is a slip of a unit.
constexpr std::uint64_t most_idle_changes = 100'000'000;

class Player {
 public:
  Player(LiveNetwork& network, const Schedule& schedule, std::span<const Route> routes,
         std::span<const Span> ready)
      : network_{&network},
        schedule_{&schedule},
        routes_{routes},
        ready_{ready},
        progress_{schedule},
        under_way_(schedule.pattern().size()),
        now_{network.now()} {
    check(std::ranges::none_of(ready, [](Span span) { return span < Span::zero(); }),
          "hosts are ready at zero or later");
    result_.finish.assign(ready.begin(), ready.end());
    if (!ready.empty()) result_.last = std::ranges::max(ready);
  }

  PlayedCollective play() {
    std::uint64_t since_arrival = 0;
    start(progress_.begin());
    while (!progress_.complete()) {
      const std::optional<Instant> at = network_->next_change();
      if (!at) break;
      if (to_seconds(at->time_since_epoch()) > longest_run) {
        throw RunTooLong{"messages are still under way after 100 simulated years"};
      }
      now_ = *at;
      const std::span<const std::uint64_t> tags = network_->advance(now_);
      since_arrival = tags.empty() ? since_arrival + 1 : 0;
      if (since_arrival > most_idle_changes) {
        throw RunTooLong{"a message waits while others' flows change a hundred million times"};
      }
      for (const std::uint64_t tag : tags) arrived(static_cast<MessageIndex>(tag));
    }
    if (!progress_.complete()) report_stuck();
    return std::move(result_);
  }

 private:
  void start(std::span<const MessageIndex> messages) {
    for (const MessageIndex index : messages) {
      const Message& message = schedule_->pattern()[index];
      Instant at = now_;
      if (message.from < ready_.size()) at = std::max(at, Instant{ready_[message.from]});
      network_->start(message, routes_[index], index, at);
      under_way_[index] = true;
    }
  }

  void arrived(MessageIndex index) {
    const Message& message = schedule_->pattern()[index];
    under_way_[index] = false;
    if (message.from != message.to) {
      ++result_.messages;
      for (const NodeIndex host : {message.from, message.to}) {
        if (host < result_.finish.size()) result_.finish[host] = now_.time_since_epoch();
      }
      result_.last = now_.time_since_epoch();
    }
    start(progress_.arrived(index));
  }

  [[nodiscard]] MessageName name(MessageIndex index, std::int64_t round) const {
    const Message& message = schedule_->pattern()[index];
    return {.from = message.from, .to = message.to, .round = round};
  }

  void report_stuck() {
    for (const Progress::Wait& wait : progress_.waits()) {
      const std::int64_t missing_round = wait.missing.rounds_back == all_rounds
                                             ? schedule_->rounds(wait.missing.message) - 1
                                             : wait.round - wait.missing.rounds_back;
      result_.stuck.push_back({.message = name(wait.message, wait.round),
                               .waits_for = name(wait.missing.message, missing_round)});
    }
    for (MessageIndex i = 0; i < under_way_.size(); ++i) {
      if (!under_way_[i]) continue;
      result_.stuck.push_back({.message = name(i, progress_.round(i)), .waits_for = std::nullopt});
    }
  }

  LiveNetwork* network_;
  const Schedule* schedule_;
  std::span<const Route> routes_;  // by message
  std::span<const Span> ready_;
  Progress progress_;
  std::vector<bool> under_way_;
  Instant now_;
  PlayedCollective result_;
};

std::size_t place_of(std::span<const Span> offsets) {
  std::uint64_t mixed = 0;
  for (const Span offset : offsets) {
    mixed = (mixed ^ static_cast<std::uint64_t>(offset.count())) * 0x9E3779B97F4A7C15;
    mixed ^= mixed >> 32;
  }
  return static_cast<std::size_t>(mixed % remembered);
}

}  // namespace

std::vector<Route> routes_of(const Topology& topology, const Schedule& schedule) {
  std::vector<Route> routes;
  routes.reserve(schedule.pattern().size());
  for (const Message& message : schedule.pattern()) {
    std::optional<Route> route = topology.route(message.from, message.to);
    check(route.has_value(), "a path joins all hosts that exchange messages");
    route->latency *= static_cast<double>(message.latencies);
    route->latency += message.overhead;
    routes.push_back(std::move(*route));
  }
  return routes;
}

PlayedCollective play(const Topology& topology, const Schedule& schedule,
                      std::span<const Route> routes, std::span<const Span> ready) {
  LiveNetwork quiet{topology.capacities()};
  return play(quiet, schedule, routes, ready);
}

PlayedCollective play(LiveNetwork& network, const Schedule& schedule, std::span<const Route> routes,
                      std::span<const Span> ready) {
  return Player{network, schedule, routes, ready}.play();
}

PlayedCollective play(const Topology& topology, const Schedule& schedule,
                      std::span<const Span> ready) {
  return play(topology, schedule, routes_of(topology, schedule), ready);
}

CollectiveTimes::CollectiveTimes(Topology topology, Schedule schedule)
    : topology_{std::move(topology)}, schedule_{std::move(schedule)} {}

std::span<const Route> CollectiveTimes::routes() {
  if (routes_.empty()) routes_ = routes_of(topology_, schedule_);
  return routes_;
}

template <class Play>
Span CollectiveTimes::remembered_or(std::span<const Span> ready, const Play& play) {
  check(!ready.empty(), "a collective has workers");
  const Span first = std::ranges::min(ready);
  std::vector<Span> offsets(ready.begin(), ready.end());
  for (Span& offset : offsets) offset -= first;
  if (answers_.empty()) answers_.resize(remembered);
  Answer& answer = answers_[place_of(offsets)];
  if (answer.offsets != offsets) {
    const PlayedCollective played = play(offsets);
    check(played.stuck.empty(), "every message of the collective can start");
    ++plays_;
    answer.after_last = played.last - std::ranges::max(offsets);
    answer.offsets = std::move(offsets);
  }
  return answer.after_last;
}

Span CollectiveTimes::after_last_arrival(std::span<const Span> ready) {
  return remembered_or(ready, [this](std::span<const Span> offsets) {
    return play(topology_, schedule_, routes(), offsets);
  });
}

Span CollectiveTimes::after_last_arrival(std::span<const Span> ready, const LiveNetwork& steady) {
  check(steady.steady(), "only what never changes is remembered");
  return remembered_or(ready, [&](std::span<const Span> offsets) {
    LiveNetwork network = steady;
    return play(network, schedule_, routes(), offsets);
  });
}

Span CollectiveTimes::after_last_arrival_on(LiveNetwork& network, std::span<const Span> ready) {
  check(!ready.empty(), "a collective has workers");
  const PlayedCollective played = play(network, schedule_, routes(), ready);
  check(played.stuck.empty(), "every message of the collective can start");
  ++plays_;
  return played.last - std::ranges::max(ready);
}

}  // namespace dbsim
