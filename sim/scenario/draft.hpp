#pragma once
// A scenario as it is read: every value beside the place it stands at, before the whole is known to
// fit together.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/io/fields.hpp"
#include "sim/profile/profile_file.hpp"
#include "sim/scenario/scenario.hpp"

namespace dbsim {

/// A value with the address a message about it needs.
template <class T>
struct Placed {
  T value{};
  Where where{};
  std::string path{};
};

template <class T>
void place(const Fields& fields, std::string_view key, Placed<T>& placed) {
  placed.where = fields.where(key);
  placed.path = fields.path(key);
}

/// The network's form; `spec` is empty while it stands in a file that is not read yet.
struct TopologyDraft {
  std::optional<Placed<std::string>> graph;     // path of that file
  std::optional<Placed<std::string>> measured;  // or of that one
  std::optional<TopologySpec> spec;
  Where where;  // of the key that gives the form
  std::string path;
  std::vector<Where> hosts;  // where each host of a graph stands
};

struct MessageDraft {
  MessageSpec spec;
  std::optional<Placed<std::string>> jitter_samples;  // path of a file with them
};

struct LinkProfileDraft {
  std::optional<Placed<std::string>> worker;  // its own link
  std::vector<Placed<std::string>> ends;      // or what joins these two nodes
  Placed<std::string> profile;                // path
  std::optional<Placed<Seconds>> loop;
};

struct TrafficDraft {
  Placed<std::string> from;
  Placed<std::string> to;
  std::optional<BytesPerSecond> limit;
  std::optional<Seconds> on;
  std::optional<Seconds> off;
  bool random{false};
  std::optional<Placed<std::string>> trace;  // path, in place of all others
};

struct WorkerDraft {
  Placed<std::string> name;
  std::int64_t count{1};
  double speed{1.0};
  std::optional<Placed<BytesPerSecond>> link;
  Placed<std::string> profile_path;  // empty when the profile stands in the scenario
  ProfileDraft inline_profile;
};

struct InterferenceDraft {
  std::vector<Placed<std::string>> workers;
  std::optional<double> factor;
  std::optional<Seconds> delay;
  Placed<Moment> from;
  std::optional<Placed<Moment>> to;
};

struct PolicyDraft {
  Placed<std::string> name;
  std::string label;
  std::optional<std::size_t> kind;
  Parameters parameters;
  PolicyTerms terms{};
};

struct ScenarioDraft {
  std::string name;
  std::int64_t seed{0};
  std::int64_t repeats{1};
  std::vector<PolicyDraft> policies;
  Where policies_where;
  std::optional<Placed<std::string>> baseline;
  Job job;
  Placed<std::int64_t> global_batch;
  Placed<std::int64_t> samples;
  Where gradient_where;
  std::vector<WorkerDraft> workers;
  Where workers_where;
  std::optional<FixedNetwork> fixed;
  TopologyDraft topology;
  MessageDraft messages;
  std::vector<LinkProfileDraft> links;
  std::vector<TrafficDraft> traffic;
  CollectiveSpec collective;
  Where algorithm_where;
  Where ranks_per_node_where;
  Where chunk_where;
  Where overlap_where;
  std::vector<InterferenceDraft> interference;
};

}  // namespace dbsim
