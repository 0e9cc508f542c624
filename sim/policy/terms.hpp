#pragma once
// What a scenario grants a policy, whatever its rule: what it sees, and what a change costs.
#include "sim/base/units.hpp"

namespace dbsim {

/// What a policy takes for a worker's own time.
enum class Timing {
  own,      // the worker's own work alone
  observed  // a clock around the whole step: waiting and communication cannot be told from work
};

struct PolicyTerms {
  Seconds rebalance_cost{};  // everybody stands still so long whenever local batches change
  Timing timing{Timing::own};
};

}  // namespace dbsim
