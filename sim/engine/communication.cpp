#include "sim/engine/communication.hpp"

#include <utility>
#include <variant>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

// Far beyond any training; beyond it whole nanoseconds would run out at 292 years.
constexpr Seconds longest_synchronisation{3e9};

CollectiveTimes times_of(const PlayedCommunication& played, std::size_t workers) {
  const Bytes bucket{played.gradient.count() / static_cast<double>(played.buckets)};
  const bool ring = played.algorithm == CollectiveAlgorithm::ring;
  const std::size_t hosts = workers + (ring ? 0 : played.servers);
  check(played.network.hosts >= hosts, "there is a host for each worker and each server");
  return CollectiveTimes{
      Topology{played.network},
      ring ? ring_all_reduce(workers, bucket) : parameter_server(workers, played.servers, bucket)};
}

}  // namespace

Communication::Communication(const CommunicationSetup& setup) : workers_{setup.workers} {
  if (const auto* given = std::get_if<FixedCommunication>(&setup.how)) {
    check(given->per_step <= longest_synchronisation, "a synchronisation ends in a lifetime");
    fixed_ = to_span(given->per_step);
    return;
  }
  const auto& played = std::get<PlayedCommunication>(setup.how);
  check(played.buckets >= 1, "a gradient has at least one bucket");
  played_ = Played{.times = times_of(played, workers_),
                   .algorithm = played.algorithm,
                   .buckets = played.buckets};
}

// Each bucket starts when the one before has finished everywhere: all but the first find everybody
// ready, so they take the same time and need not be played one by one.
Span Communication::duration(std::span<const Span> ready) {
  check(ready.size() == workers_, "every worker arrives");
  if (!played_) return fixed_;
  const std::vector<Span> at_once(workers_);
  const bool barrier = played_->algorithm == CollectiveAlgorithm::ring;
  const Span first = played_->times.after_last_arrival(barrier ? at_once : ready);
  const Span others =
      played_->buckets > 1 ? played_->times.after_last_arrival(at_once) : Span::zero();
  const Seconds whole =
      to_seconds(first) + static_cast<double>(played_->buckets - 1) * to_seconds(others);
  check(whole <= longest_synchronisation, "a synchronisation ends in a lifetime");
  return first + (played_->buckets - 1) * others;
}

std::uint64_t Communication::messages() const {
  if (!played_) return 0;
  return played_->times.schedule().messages() * static_cast<std::uint64_t>(played_->buckets);
}

}  // namespace dbsim
