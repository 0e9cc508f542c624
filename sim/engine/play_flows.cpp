#include "sim/engine/play_flows.hpp"

#include <cstdint>

#include "sim/base/check.hpp"
#include "sim/engine/transfers.hpp"

namespace dbsim {

namespace {

/// Who waits for whom, seen from those who are waited for.
class Followers {
 public:
  explicit Followers(std::span<const PlannedFlow> flows) : first_(flows.size() + 1) {
    for (const PlannedFlow& flow : flows) {
      for (const std::size_t before : flow.after) {
        check(before < flows.size(), "flows wait for flows of their own plan");
        ++first_[before + 1];
      }
      waits_for_.push_back(flow.after.size());
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    followers_.resize(first_.back());
    std::vector<std::size_t> next = first_;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      for (const std::size_t before : flows[i].after) followers_[next[before]++] = i;
    }
  }

  [[nodiscard]] bool waits(std::size_t flow) const { return waits_for_[flow] > 0; }
  [[nodiscard]] std::span<const std::size_t> of(std::size_t flow) const {
    return std::span{followers_}.subspan(first_[flow], first_[flow + 1] - first_[flow]);
  }
  /// One of those that `flow` waits for has finished; whether it was the last.
  bool release(std::size_t flow) { return --waits_for_[flow] == 0; }

 private:
  std::vector<std::size_t> first_;  // by flow; its followers end where the next flow's begin
  std::vector<std::size_t> followers_;
  std::vector<std::size_t> waits_for_;
};

// Later than the last instant is never; seconds in double are a microsecond coarse there.
std::optional<Instant> later(Instant now, Seconds delay) {
  constexpr Seconds rounding{1e-6};
  if (delay + rounding >= to_seconds(Instant::max() - now)) return std::nullopt;
  return now + to_span(delay);
}

}  // namespace

std::vector<std::optional<Instant>> play_flows(std::span<const BytesPerSecond> capacities,
                                               std::span<const PlannedFlow> flows,
                                               std::span<const BandwidthStep> steps) {
  Transfers transfers{capacities};
  for (const BandwidthStep& step : steps) {
    const std::optional<Instant> at = later(Instant{}, step.at);
    if (at) transfers.set_bandwidth(step.channel, step.bandwidth, *at);
  }
  const auto ask_for = [&](std::size_t place, Instant now) {
    const PlannedFlow& flow = flows[place];
    const std::optional<Instant> at = later(now, flow.start);
    if (at)
      transfers.start(flow.route, {.size = flow.size, .limit = flow.limit, .tag = place}, *at);
  };
  Followers followers{flows};
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (!followers.waits(i)) ask_for(i, Instant{});
  }
  std::vector<std::optional<Instant>> finishes(flows.size());
  std::optional<Instant> at = transfers.next_change();
  while (at && *at < Instant::max()) {
    for (const std::uint64_t finished : transfers.advance(*at)) {
      finishes[finished] = *at;
      for (const std::size_t follower : followers.of(finished)) {
        if (followers.release(follower)) ask_for(follower, *at);
      }
    }
    at = transfers.next_change();
  }
  return finishes;
}

}  // namespace dbsim
