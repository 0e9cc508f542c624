#pragma once
// What happened in one simulated run, as data. Reports are functions of it.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/instant.hpp"
#include "sim/base/units.hpp"

namespace dbsim {

/// One worker over one epoch.
struct WorkerEpoch {
  Samples batch;    // local batch it was given; the last one if it changed on the way
  double share{};   // its part of the samples used in this epoch
  double weight{};  // weight of its gradient in a full step, on average
  std::int64_t steps{};
  Samples samples;       // samples it trained on
  Span own{};            // loading, forward, backward, update; interference included
  Span communication{};  // in the all-reduce, after everybody had arrived
  Span wait{};           // idle until the slowest arrived
  Samples smallest_batch{};
  Samples largest_batch{};
};

struct EpochTrace {
  Instant begin;
  Instant end;
  Samples lost;  // samples of the data set that nobody trained on in this epoch
  std::vector<WorkerEpoch> workers;
  std::int64_t resizings{};  // how often local batches changed, before or within this epoch
  Span rebalancing{};        // everybody stood still while they did
};

/// A synchronisation that can never complete: some workers wait for others that have left the
/// epoch.
struct Deadlock {
  Instant at;
  std::int64_t epoch{};
  std::int64_t step{};               // the step whose all-reduce never completes, counted from 0
  std::vector<std::size_t> waiting;  // workers that have arrived
  std::vector<std::size_t> missing;  // workers they wait for, which made `step` steps and finished
};

/// The time-out after which a stuck collective of the authors' back end (gloo under PyTorch) gives
/// up.
inline constexpr Seconds collective_timeout{1800.0};

struct RunTrace {
  std::vector<std::string> workers;  // names, in scenario order
  std::vector<EpochTrace> epochs;
  /// The first of each epoch that has one. A real job ends at the first of all; the run goes on as
  /// if the missing workers had joined with nothing to add (PyTorch's Join does that), so that
  /// later epochs can still be compared.
  std::vector<Deadlock> deadlocks;
  std::uint64_t events{};  // events the engine handled
  [[nodiscard]] Span total() const {
    return epochs.empty() ? Span{} : epochs.back().end - epochs.front().begin;
  }
};

}  // namespace dbsim
