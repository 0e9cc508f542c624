#pragma once
// What the network is, as plain data: a given time per synchronisation, or links and an algorithm.
#include <cstddef>
#include <cstdint>
#include <variant>

#include "sim/base/units.hpp"
#include "sim/model/collective.hpp"

namespace dbsim {

/// Every synchronisation takes the same time, however many workers there are.
struct FixedCommunication {
  Seconds per_step{};
  friend bool operator==(const FixedCommunication&, const FixedCommunication&) = default;
};

/// All workers (and servers) hang on one switch by full-duplex links of the same kind.
struct StarCommunication {
  BytesPerSecond bandwidth;  // of each link, in each direction
  Seconds latency{};         // from host to host
  CollectiveAlgorithm algorithm{CollectiveAlgorithm::ring};
  std::size_t servers{1};   // of the parameter server, hosts of their own; ring: not read
  Bytes gradient;           // all-reduced in each step
  std::int64_t buckets{1};  // equal parts of the gradient, reduced one after another
  friend bool operator==(const StarCommunication&, const StarCommunication&) = default;
};

struct CommunicationSetup {
  std::variant<FixedCommunication, StarCommunication> how;
  std::size_t workers{};
  friend bool operator==(const CommunicationSetup&, const CommunicationSetup&) = default;
};

}  // namespace dbsim
