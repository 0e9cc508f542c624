#pragma once
// What the user asked for, checked: every number in it is usable.
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/policy/catalog.hpp"
#include "sim/policy/terms.hpp"
#include "sim/profile/profile.hpp"
#include "sim/scenario/collective_spec.hpp"
#include "sim/scenario/measured_network.hpp"
#include "sim/scenario/message_spec.hpp"
#include "sim/scenario/moment.hpp"
#include "sim/scenario/traffic_spec.hpp"
#include "sim/topology/shapes.hpp"

namespace dbsim {

enum class LastBatch { keep, drop };  // what happens to the samples that fill no whole step

struct Job {
  std::string model;
  Samples samples;  // of one epoch
  std::int64_t epochs{};
  Samples global_batch;
  std::optional<Bytes>
      gradient;  // bytes all-reduced per step; empty: the profiles' parameter bytes
  std::optional<std::int64_t> steps_between_syncs{1};  // empty: once, at the end of the epoch
  LastBatch last_batch{LastBatch::keep};
};

struct WorkerSpec {
  std::string name;
  std::size_t profile{};  // index into Scenario::profiles
  double speed{1.0};      // multiple of the profile's speed, always in force and known to policies
  std::optional<BytesPerSecond> link{};  // of its own link; empty: as the network says
};

struct FixedNetwork {
  Seconds per_step{};
};
/// Worker i runs on host i; the shards of a parameter server on the hosts after them.
struct PlayedNetwork {
  TopologySpec topology;
  MessageSpec messages{};
  std::vector<LinkProfileSpec> links{};
  std::vector<TrafficSpec> traffic{};
  std::optional<MeasuredRange> measured{};  // where the network was
};
using NetworkSpec = std::variant<FixedNetwork, PlayedNetwork>;

/// Another task on workers' devices, from a moment to another.
struct InterferenceSpec {
  std::vector<std::size_t> workers;
  double factor{1.0};  // speed that is left to them
  Seconds delay{};     // or time added to each of their steps
  Moment from{EpochStart{0}};
  std::optional<Moment> to;  // empty: for good
};

struct PolicySpec {
  std::string label;
  std::size_t kind{};  // index into the catalog
  Parameters parameters;
  PolicyTerms terms{};
};

struct Scenario {
  std::string file;
  std::string name;
  std::uint64_t seed{};
  std::size_t repeats{1};
  std::vector<PolicySpec> policies;
  std::size_t baseline{};  // index into policies
  Job job;
  std::vector<Profile> profiles;
  std::vector<WorkerSpec> workers;
  NetworkSpec network;
  CollectiveSpec collective;  // how gradients are combined, unless their time is given
  std::vector<InterferenceSpec> interference;
};

/// What a policy may know of this scenario before training starts.
[[nodiscard]] ClusterView cluster_view(const Scenario& scenario);
/// The bytes all-reduced in each step: the job's, or else the largest that a profile names; 0 if
/// nobody says.
[[nodiscard]] Bytes gradient_bytes(const Scenario& scenario);
/// One for each worker, and one for each shard of a parameter server.
[[nodiscard]] std::size_t hosts_needed(const Scenario& scenario);

}  // namespace dbsim
