#pragma once
// What the network is, as plain data: a given time per synchronisation, or links and an algorithm.
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/model/collective_setup.hpp"
#include "sim/model/overlap.hpp"
#include "sim/scenario/measured_network.hpp"
#include "sim/scenario/traffic_spec.hpp"
#include "sim/topology/network.hpp"

namespace dbsim {

/// Every synchronisation takes the same time, however many workers there are.
struct FixedCommunication {
  Seconds per_step{};
  friend bool operator==(const FixedCommunication&, const FixedCommunication&) = default;
};

/// Worker i is host i of the network; servers are the hosts after the workers.
struct PlayedCommunication {
  Network network;
  std::vector<LinkProfileSpec> links{};     // whose bandwidth changes
  std::vector<TrafficSpec> traffic{};       // beside the job's
  std::optional<MeasuredRange> measured{};  // where the network was
  std::vector<std::string> tenants{};       // by host: who runs there, as random streams name it
  friend bool operator==(const PlayedCommunication&, const PlayedCommunication&) = default;
};

struct CommunicationSetup {
  std::variant<FixedCommunication, PlayedCommunication> how;
  CollectiveSetup collective{};           // not read where the time is given
  std::optional<OverlapSetup> overlap{};  // empty: all of the gradient travels after backward
  std::size_t workers{};
  friend bool operator==(const CommunicationSetup&, const CommunicationSetup&) = default;
};

/// What a reader should know of the network and of how it is used.
[[nodiscard]] std::vector<std::string> warnings_about(const CommunicationSetup& setup);

}  // namespace dbsim
