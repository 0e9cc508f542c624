#pragma once
// The closed set of things that can happen in a run.
#include <cstdint>
#include <variant>

namespace dbsim {

struct WorkDone {  // a worker has finished its own part of a step
  std::uint32_t worker{};
};
struct CommunicationDone {};  // the synchronisation has reached everybody
struct InterferenceBegins {   // index into Setup::interference
  std::uint32_t interference{};
};
struct InterferenceEnds {
  std::uint32_t interference{};
};
struct Rebalanced {};  // local batches have changed; everybody goes on
struct EpochOver {};   // after everything else of its instant: the policy sees one consistent state

using Event = std::variant<WorkDone, CommunicationDone, InterferenceBegins, InterferenceEnds,
                           Rebalanced, EpochOver>;

}  // namespace dbsim
