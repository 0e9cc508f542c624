#pragma once
// What a message costs beside its bytes on the links it crosses.
#include <optional>
#include <variant>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/network/network_fit.hpp"

namespace dbsim {

struct LognormalDelay {
  Seconds median{};
  double sigma{};
  friend bool operator==(const LognormalDelay&, const LognormalDelay&) = default;
};
struct ExponentialDelay {
  Seconds mean{};
  friend bool operator==(const ExponentialDelay&, const ExponentialDelay&) = default;
};
struct MeasuredDelay {  // any of them, each as likely as the others
  std::vector<Seconds> samples;
  friend bool operator==(const MeasuredDelay&, const MeasuredDelay&) = default;
};
using DelaySpec = std::variant<LognormalDelay, ExponentialDelay, MeasuredDelay>;

struct SpikeSpec {  // meets each message with that chance
  double chance{};
  Seconds length{};
  friend bool operator==(const SpikeSpec&, const SpikeSpec&) = default;
};

struct MessageSpec {
  Seconds overhead{};  // of each message, before it takes bandwidth
  /// A message takes of the links what size / efficiency bytes would; empty: its size.
  std::vector<Efficiency> efficiency{};
  std::optional<DelaySpec> jitter{};  // added to each message's latency
  std::optional<SpikeSpec> spike{};
  friend bool operator==(const MessageSpec&, const MessageSpec&) = default;

  [[nodiscard]] bool random() const { return jitter.has_value() || spike.has_value(); }
};

}  // namespace dbsim
