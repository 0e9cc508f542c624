// Smoothing and a dead-band, which the paper does not have: off unless asked for.
#include <cmath>

#include "policies/dbs.hpp"
#include "tests/catch.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

TEST_CASE("smoothed, DBS approaches a new speed as (1 - newest)^k", "[dbs]") {
  // The second worker takes twice as long from epoch 1 on.
  const double newest = 0.4;
  const std::unique_ptr<Policy> policy = make_dbs({.newest = newest});
  Decision decision = policy->start(unknown_cluster(2, 1'000'000));
  const auto epoch = [&decision](double slowness) {
    return epoch_with_times(
        decision, {1e-6 * static_cast<double>(decision.local_batches[0].count()),
                   1e-6 * slowness * static_cast<double>(decision.local_batches[1].count())});
  };
  CHECK_FALSE(policy->after_epoch(epoch(1.0)));
  for (int k = 1; k < 10; ++k) {
    decision = policy->after_epoch(epoch(2.0)).value_or(decision);
    const double time = 2.0 - std::pow(1.0 - newest, k);  // per sample
    CHECK(static_cast<double>(decision.local_batches[1].count()) ==
          Approx(1e6 / time / (1.0 + 1.0 / time)).margin(1.0));
  }
}

TEST_CASE("within its dead-band DBS changes nothing, beyond it everything", "[dbs]") {
  for (const DbsMode mode : {DbsMode::paper, DbsMode::code}) {
    const std::unique_ptr<Policy> policy = make_dbs({.mode = mode, .dead_band = 0.1});
    const Decision first = policy->start(unknown_cluster(2, 200));
    // 200 / 2.15 = 93 and 107: 7 %; 200 / 2.3 = 87 and 113: 13 %.
    CHECK_FALSE(policy->after_epoch(epoch_with_times(first, {1.15, 1.0})));
    const auto next = policy->after_epoch(epoch_with_times(first, {1.3, 1.0}));
    REQUIRE(next);
    CHECK(next->local_batches.front() == Samples{87});
  }
}
