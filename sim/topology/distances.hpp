#pragma once
// How far apart the switches of a network are.
#include <cstdint>
#include <limits>
#include <span>

#include "sim/base/cloned.hpp"
#include "sim/topology/network.hpp"

namespace dbsim {

inline constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max();

/// Lengths of the shortest ways between switches over switches. A switch is searched from when it
/// is first asked for, and its answers are kept. A plain value, and several threads may ask one at
/// once.
class SwitchDistances {
 public:
  explicit SwitchDistances(const Network& network);
  SwitchDistances(const SwitchDistances& other);
  SwitchDistances(SwitchDistances&& other) noexcept;
  SwitchDistances& operator=(const SwitchDistances& other);
  SwitchDistances& operator=(SwitchDistances&& other) noexcept;
  ~SwitchDistances();

  /// From each switch to this one, `unreachable` where there is no way. The first switch of the
  /// network counts as 0 here. Valid as long as this object.
  [[nodiscard]] std::span<const std::uint32_t> to(std::uint32_t target) const;

 private:
  class Search;
  Cloned<Search> search_;
};

}  // namespace dbsim
