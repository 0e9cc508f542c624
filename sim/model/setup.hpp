#pragma once
// Everything about a run that never changes: what the scenario and the profiles say, ready for the
// engine.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/step_time_curve.hpp"
#include "sim/base/units.hpp"
#include "sim/model/communication_setup.hpp"
#include "sim/policy/policy.hpp"
#include "sim/scenario/scenario.hpp"

namespace dbsim {

struct WorkerSetup {
  std::string name;
  StepTimeCurve step_time;  // undisturbed median
  double sigma{};           // of the log-normal factor on each step
};

/// One task on one worker's device.
struct InterferenceSetup {
  std::size_t worker{};
  double factor{1.0};  // speed that is left
  Seconds delay{};     // added to each step
  Moment from;
  std::optional<Moment> to;
};

struct Setup {
  ClusterView view;  // what policies may know
  std::int64_t epochs{};
  std::optional<std::int64_t> steps_between_syncs{1};  // empty: once per epoch
  LastBatch last_batch{LastBatch::keep};
  std::vector<WorkerSetup> workers;
  std::vector<InterferenceSetup> interference;
  CommunicationSetup communication;
};

[[nodiscard]] Setup make_setup(const Scenario& scenario);

}  // namespace dbsim
