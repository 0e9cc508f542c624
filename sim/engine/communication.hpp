#pragma once
// What one synchronisation of the gradients costs: a given time, or a collective played on a
// network.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/instant.hpp"
#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/engine/collective_player.hpp"
#include "sim/engine/live_network.hpp"
#include "sim/model/communication_setup.hpp"

namespace dbsim {

/// Answers for every step of a run. A plain value: a copy gives the same answers and goes its own
/// way; what it remembers saves time and changes no answer. A network in use goes on with the run.
class Communication {
 public:
  /// `setup` must outlive it and its copies.
  Communication(const CommunicationSetup& setup, const RandomStreams& streams);

  /// From the last arrival until everybody has finished, when worker i arrives at ready[i], counted
  /// from `since`: where the network is in use, steps are asked for one after another, each since
  /// no earlier than the one before has finished. A parameter server takes each gradient as it
  /// comes; all other collectives start once all have arrived.
  [[nodiscard]] Span duration(std::span<const Span> ready, Instant since);
  /// The same where buckets travel while backward goes on: bucket j of worker i is ready at
  /// bucket_ready[i * buckets + j], and travels when it is ready everywhere and the bucket before
  /// has finished. None where the last bucket comes before the last arrival.
  [[nodiscard]] Span duration(std::span<const Span> ready, std::span<const Span> bucket_ready,
                              Instant since);
  /// Messages (fluid: flows) that one step sends over the network; none where the time is given.
  [[nodiscard]] std::uint64_t messages() const;

 private:
  struct Played {
    std::vector<CollectiveTimes> times;    // by size of bucket
    bool barrier;                          // it starts once all have arrived
    std::int64_t buckets;                  // all of the first size; not read with overlap
    std::vector<std::size_t> overlapping;  // buckets of an overlap: which size each has
    std::optional<LiveNetwork> network;    // empty: nothing on it but the job's own messages
  };
  [[nodiscard]] Span after_last_arrival(CollectiveTimes& times, std::span<const Span> ready,
                                        Instant since);
  [[nodiscard]] bool changes() const { return played_->network && !played_->network->steady(); }

  std::size_t workers_;
  Span fixed_{};
  std::optional<Played> played_;  // empty: `fixed_` holds for every step
};

}  // namespace dbsim
