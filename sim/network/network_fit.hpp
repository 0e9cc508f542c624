#pragma once
// How long an all-reduce of any size takes: a latency, a bandwidth, and how much of the bandwidth
// each message size reaches.
#include <span>
#include <vector>

#include "sim/base/units.hpp"

namespace dbsim {

/// The part of the bandwidth that messages of one size reach. It corrects the straight line, so it
/// may exceed 1: small messages, whose time is all latency, and sizes with a better protocol than
/// the largest have.
struct Efficiency {
  Bytes bytes;
  double efficiency{};
  friend bool operator==(const Efficiency&, const Efficiency&) = default;
};

/// Between two sizes of the table, which rise, the logarithm of the efficiency is linear in the
/// logarithm of the size; outside, the nearest entry holds. An empty table means 1. Needs a size
/// above zero.
[[nodiscard]] double efficiency_at(std::span<const Efficiency> table, Bytes size);

/// time(s) = latency + s / (bandwidth * efficiency(s)).
struct NetworkFit {
  Seconds latency{};
  BytesPerSecond bandwidth{};
  Bytes affine_from{};       // from this size on, latency and bandwidth alone were fitted
  double affine_residual{};  // largest relative error of the straight line there
  double residual{};         // largest relative error of time() at the measured sizes
  std::vector<Efficiency> efficiency{};  // rising size
  friend bool operator==(const NetworkFit&, const NetworkFit&) = default;

  [[nodiscard]] double efficiency_at(Bytes size) const {
    return dbsim::efficiency_at(efficiency, size);
  }
  /// Needs a size above zero.
  [[nodiscard]] Seconds time(Bytes size) const;
};

/// What each link of a ring would carry if the all-reduce of `size` bytes took `time`: size / time
/// * 2(n - 1)/n, as nccl-tests defines busbw.
[[nodiscard]] BytesPerSecond bus_bandwidth(Bytes size, Seconds time, int ranks);

}  // namespace dbsim
