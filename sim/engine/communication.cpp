#include "sim/engine/communication.hpp"

#include <algorithm>
#include <variant>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

// Far beyond any training; beyond it whole nanoseconds would run out at 292 years.
constexpr Seconds longest_synchronisation{3e9};

CollectiveTimes times_of(const CommunicationSetup& setup, Bytes bucket) {
  const auto& played = std::get<PlayedCommunication>(setup.how);
  check(played.network.hosts >= hosts_of(setup.collective, setup.workers),
        "there is a host for each worker and each server");
  return CollectiveTimes{Topology{played.network},
                         schedule_of(setup.collective, setup.workers, bucket)};
}

}  // namespace

Communication::Communication(const CommunicationSetup& setup, const RandomStreams& streams)
    : workers_{setup.workers} {
  if (const auto* given = std::get_if<FixedCommunication>(&setup.how)) {
    check(given->per_step <= longest_synchronisation, "a synchronisation ends in a lifetime");
    fixed_ = to_span(given->per_step);
    return;
  }
  played_ = Played{.times = {},
                   .barrier = waits_for_all(setup.collective.algorithm),
                   .buckets = setup.collective.buckets,
                   .overlapping = {},
                   .network = {}};
  if (!setup.overlap) {
    played_->times.push_back(times_of(setup, bucket_of(setup.collective)));
  } else {
    std::vector<Bytes> sizes;
    for (const Bytes bucket : setup.overlap->buckets) {
      const auto known = std::ranges::find(sizes, bucket);
      played_->overlapping.push_back(static_cast<std::size_t>(known - sizes.begin()));
      if (known != sizes.end()) continue;
      sizes.push_back(bucket);
      played_->times.push_back(times_of(setup, bucket));
    }
  }
  const auto& played = std::get<PlayedCommunication>(setup.how);
  const bool quiet =
      played.links.empty() && played.traffic.empty() && !setup.collective.messages.random();
  if (!quiet) played_->network.emplace(setup, played_->times.front().topology(), streams);
}

// Where the network changes, the collective is played at the time at which it happens.
Span Communication::after_last_arrival(CollectiveTimes& times, std::span<const Span> ready,
                                       Instant since) {
  if (changes()) {
    std::vector<Span> starts(ready.begin(), ready.end());
    if (played_->barrier) std::ranges::fill(starts, std::ranges::max(ready));
    for (Span& start : starts) start += since.time_since_epoch();
    return times.after_last_arrival_on(*played_->network, starts);
  }
  const std::vector<Span> together(workers_);
  if (played_->barrier) ready = together;
  return played_->network ? times.after_last_arrival(ready, *played_->network)
                          : times.after_last_arrival(ready);
}

// Each bucket starts when the one before has finished everywhere, so that all but the first find
// everybody ready.
Span Communication::duration(std::span<const Span> ready, Instant since) {
  check(ready.size() == workers_, "every worker arrives");
  if (!played_) return fixed_;
  CollectiveTimes& times = played_->times.front();
  const Span last_arrival = std::ranges::max(ready);
  const Span first = after_last_arrival(times, ready, since);
  if (changes()) {
    Span finished = last_arrival + first;
    for (std::int64_t bucket = 1; bucket < played_->buckets; ++bucket) {
      finished += after_last_arrival(times, std::vector<Span>(workers_, finished), since);
    }
    return finished - last_arrival;
  }
  // They take the same time, and need not be played one by one.
  const Span others =
      played_->buckets > 1 ? after_last_arrival(times, std::vector<Span>(workers_), since) : Span{};
  const Seconds whole =
      to_seconds(first) + static_cast<double>(played_->buckets - 1) * to_seconds(others);
  check(whole <= longest_synchronisation, "a synchronisation ends in a lifetime");
  return first + (played_->buckets - 1) * others;
}

Span Communication::duration(std::span<const Span> ready, std::span<const Span> bucket_ready,
                             Instant since) {
  check(played_ && ready.size() == workers_, "every worker arrives");
  const std::size_t buckets = played_->overlapping.size();
  check(bucket_ready.size() == workers_ * buckets, "every worker has every bucket");
  Span finished{};
  std::vector<Span> starts(workers_);
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    for (std::size_t i = 0; i < workers_; ++i) {
      starts[i] = std::max(bucket_ready[i * buckets + bucket], finished);
    }
    CollectiveTimes& times = played_->times[played_->overlapping[bucket]];
    finished = std::ranges::max(starts) + after_last_arrival(times, starts, since);
    check(to_seconds(finished) <= 2.0 * longest_synchronisation, "buckets end in a lifetime");
  }
  return std::max(Span::zero(), finished - std::ranges::max(ready));
}

std::uint64_t Communication::messages() const {
  if (!played_) return 0;
  const auto of = [&](std::size_t size) { return played_->times[size].schedule().messages(); };
  if (played_->overlapping.empty()) return of(0) * static_cast<std::uint64_t>(played_->buckets);
  std::uint64_t messages = 0;
  for (const std::size_t size : played_->overlapping) messages += of(size);
  return messages;
}

}  // namespace dbsim
