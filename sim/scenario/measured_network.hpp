#pragma once
// A network that was measured, as one that messages can travel on.
#include <vector>

#include "sim/network/network_document.hpp"
#include "sim/topology/shapes.hpp"

namespace dbsim {

/// What a network was measured with; beyond it, answers are extrapolated.
struct MeasuredRange {
  int ranks{};
  Bytes smallest;  // of the sizes that were all-reduced
  Bytes largest;
  friend bool operator==(const MeasuredRange&, const MeasuredRange&) = default;
};

struct MeasuredNetwork {
  SingleSwitch star;
  std::vector<Efficiency> efficiency;  // by size of a message
  MeasuredRange range;
};

/// The star on which a ring all-reduce of any size takes the time that the file's law gives it:
/// each of the 2(n - 1) rounds has its part of the latency, links carry the bus bandwidth, and a
/// message, an n-th of the whole, has the efficiency of the whole. Needs two ranks and a law, or
/// two points to fit one to.
[[nodiscard]] MeasuredNetwork star_of(const NetworkDocument& document);

}  // namespace dbsim
