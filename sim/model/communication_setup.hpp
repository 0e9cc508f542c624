#pragma once
// What the network is, as plain data: a given time per synchronisation, or links and an algorithm.
#include <cstddef>
#include <optional>
#include <variant>

#include "sim/base/units.hpp"
#include "sim/model/collective_setup.hpp"
#include "sim/model/overlap.hpp"

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
  friend bool operator==(const StarCommunication&, const StarCommunication&) = default;
};

struct CommunicationSetup {
  std::variant<FixedCommunication, StarCommunication> how;
  CollectiveSetup collective{};           // not read where the time is given
  std::optional<OverlapSetup> overlap{};  // empty: all of the gradient travels after backward
  std::size_t workers{};
  friend bool operator==(const CommunicationSetup&, const CommunicationSetup&) = default;
};

}  // namespace dbsim
