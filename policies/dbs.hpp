#pragma once
// DBS, dynamic batch size (Ye, Zhou, Shi, Sun and Lv, arXiv 2007.11831): equal shares in epoch 0,
// then shares in proportion to the speed that each worker showed in the epoch before.
#include <memory>

#include "sim/policy/policy.hpp"

namespace dbsim {

enum class DbsMode {
  paper,  // nearest whole numbers that keep the sum, at least 1, within memory; no sample is lost
  code    // the authors' program: may lose samples and make step counts differ; knows no memory
};
enum class DbsWeights {
  share,   // a worker's gradient counts as much as its share of the samples
  uniform  // all alike, as in the program's first version (c91601c, 14 Jul 2020)
};
struct DbsRule {
  DbsMode mode{DbsMode::paper};
  DbsWeights weights{DbsWeights::share};
  // Not in the paper:
  double newest{1.0};     // weight of the newest epoch's time per share against those before
  double dead_band{0.0};  // no change while no local batch would change by more than this part
};

/// Where memory, or the one sample that everybody gets, limits a worker, the others share the rest
/// in proportion to their speeds. The paper knows no limits.
/// In code mode a worker whose share rounds to nothing gets a local batch of 0 (the program's
/// loader raises there), and a local batch may exceed max_batch (the program runs out of memory).
[[nodiscard]] std::unique_ptr<Policy> make_dbs(DbsRule rule = {});

}  // namespace dbsim
