#pragma once
// Simulated time: whole nanoseconds, always passed in, never fetched.
#include <chrono>
#include <cstdint>

#include "sim/base/units.hpp"

namespace dbsim {

struct SimulatedClock {  // has no now(): nobody can ask for the time from nowhere
  using duration = std::chrono::duration<std::int64_t, std::nano>;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<SimulatedClock>;
  static constexpr bool is_steady = true;
};

using Instant = SimulatedClock::time_point;  // Instant + Instant does not compile
using Span = SimulatedClock::duration;       // int64 nanoseconds reach 292 years

/// The one place where modelled seconds become whole nanoseconds (nearest, ties to even).
[[nodiscard]] inline Span to_span(Seconds modelled) { return std::chrono::round<Span>(modelled); }
[[nodiscard]] inline Seconds to_seconds(Span span) {
  return std::chrono::duration_cast<Seconds>(span);
}

}  // namespace dbsim
