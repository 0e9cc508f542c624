#pragma once
// What the network is, as plain data: a given time per synchronisation, or links and an algorithm.
#include <cstddef>
#include <cstdint>
#include <variant>

#include "sim/base/units.hpp"
#include "sim/model/collective.hpp"
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
  CollectiveAlgorithm algorithm{CollectiveAlgorithm::ring};
  std::size_t servers{1};   // of the parameter server, hosts of their own; ring: not read
  Bytes gradient;           // all-reduced in each step
  std::int64_t buckets{1};  // equal parts of the gradient, reduced one after another
  friend bool operator==(const PlayedCommunication&, const PlayedCommunication&) = default;
};

struct CommunicationSetup {
  std::variant<FixedCommunication, PlayedCommunication> how;
  std::size_t workers{};
  friend bool operator==(const CommunicationSetup&, const CommunicationSetup&) = default;
};

}  // namespace dbsim
