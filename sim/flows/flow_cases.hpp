#pragma once
// Networks and the flows on them, as a file holds them, with the finish times that are expected.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/engine/play_flows.hpp"
#include "sim/io/fields.hpp"
#include "sim/topology/topology.hpp"

namespace dbsim {

/// One network and its flows; names, flows and answers go by the same places.
struct FlowCase {
  std::string name;
  std::string description;
  Topology topology{Network{}};
  std::vector<BandwidthStep> bandwidth_steps;
  std::vector<std::string> names;
  std::vector<PlannedFlow> flows;
  std::vector<std::optional<Seconds>> answers;  // when each flow should finish
  std::optional<Seconds> makespan;              // the answer's
  std::vector<std::size_t> detours;  // flows with a route other than the one we would choose
};

struct FlowCases {
  std::string file;
  std::string source;  // of the answers
  std::vector<FlowCase> cases;
};

/// The keys of a file of cases, dbsim.network-cases/1, for its schema.
void describe_flow_cases(Fields& fields);
/// Reads a file of cases. Throws InputError with all that is wrong in it.
[[nodiscard]] FlowCases load_flow_cases(const std::string& path);
/// The same from text; `name` stands for the file in messages.
[[nodiscard]] FlowCases parse_flow_cases(std::string_view text, const std::string& name);

}  // namespace dbsim
