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

Communication::Communication(const CommunicationSetup& setup) : workers_{setup.workers} {
  if (const auto* given = std::get_if<FixedCommunication>(&setup.how)) {
    check(given->per_step <= longest_synchronisation, "a synchronisation ends in a lifetime");
    fixed_ = to_span(given->per_step);
    return;
  }
  played_ = Played{.times = {},
                   .barrier = waits_for_all(setup.collective.algorithm),
                   .buckets = setup.collective.buckets,
                   .overlapping = {}};
  if (!setup.overlap) {
    played_->times.push_back(times_of(setup, bucket_of(setup.collective)));
    return;
  }
  std::vector<Bytes> sizes;
  for (const Bytes bucket : setup.overlap->buckets) {
    const auto known = std::ranges::find(sizes, bucket);
    played_->overlapping.push_back(static_cast<std::size_t>(known - sizes.begin()));
    if (known != sizes.end()) continue;
    sizes.push_back(bucket);
    played_->times.push_back(times_of(setup, bucket));
  }
}

Span Communication::after_last_arrival(CollectiveTimes& times, std::span<const Span> ready) const {
  return times.after_last_arrival(played_->barrier ? std::vector<Span>(workers_) : ready);
}

// Each bucket starts when the one before has finished everywhere: all but the first find everybody
// ready, so they take the same time and need not be played one by one.
Span Communication::duration(std::span<const Span> ready) {
  check(ready.size() == workers_, "every worker arrives");
  if (!played_) return fixed_;
  CollectiveTimes& times = played_->times.front();
  const Span first = after_last_arrival(times, ready);
  const Span others =
      played_->buckets > 1 ? times.after_last_arrival(std::vector<Span>(workers_)) : Span::zero();
  const Seconds whole =
      to_seconds(first) + static_cast<double>(played_->buckets - 1) * to_seconds(others);
  check(whole <= longest_synchronisation, "a synchronisation ends in a lifetime");
  return first + (played_->buckets - 1) * others;
}

Span Communication::duration(std::span<const Span> ready, std::span<const Span> bucket_ready) {
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
    finished = std::ranges::max(starts) + after_last_arrival(times, starts);
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
