#pragma once
// Everything about a run that changes: a plain value, so that a copy goes its own way from here.
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/cloned.hpp"
#include "sim/base/instant.hpp"
#include "sim/base/random.hpp"
#include "sim/engine/communication.hpp"
#include "sim/engine/epoch_plan.hpp"
#include "sim/engine/event.hpp"
#include "sim/engine/event_queue.hpp"
#include "sim/engine/work.hpp"
#include "sim/policy/policy.hpp"
#include "sim/trace/trace.hpp"

namespace dbsim {

struct WorkerState {
  explicit WorkerState(RandomStream noise) : jitter{noise} {}

  enum class Doing : std::uint8_t { computing, waiting, finished };
  Doing doing{Doing::finished};
  Work work;
  EventHandle work_done{};
  Instant step_begin;
  Instant arrived;
  std::int64_t steps_done{};  // in this epoch
  std::int64_t next_sync{};   // it synchronises when steps_done reaches this
  double rate{1.0};           // speed that interference leaves
  Seconds delay{};            // that interference adds to each step
  Seconds full_step{};        // undisturbed median times under the present plan
  Seconds last_step{};
  Seconds step_time{};  // of the present step, without a delay
  RandomStream jitter;
  WorkerEpoch account;
  double earlier_weight{};  // weight times steps under the plans of this epoch that were replaced
};

/// A worker's account when a policy last decided within the epoch.
struct Tally {
  std::int64_t steps{};
  Samples samples;
  Span own{};
  Span communication{};
  Span wait{};
};

struct RunState {
  Instant now;
  EventQueue<Event> events;
  Cloned<Policy> policy;
  Communication communication;
  Decision decision;
  EpochPlan plan;
  std::int64_t epoch{-1};
  std::vector<WorkerState> workers;
  std::vector<bool> interference_active;
  std::vector<Tally> seen;    // by worker; empty where the policy decides after epochs only
  std::int64_t planned_at{};  // steps of this epoch that were done when the plan was made
  std::size_t arrived{};      // workers that wait in the present synchronisation
  std::size_t finished{};     // workers that have no step left in this epoch
  Instant round_begin;        // when the last synchronisation ended
  Instant last_arrival;
  std::vector<Span> ready;         // arrivals since round_begin, as the network wants them
  std::vector<Span> bucket_ready;  // by worker, then bucket; empty without overlap
  RunTrace trace;
};

}  // namespace dbsim
