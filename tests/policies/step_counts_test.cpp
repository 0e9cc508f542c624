// When the authors' program makes a different number of steps on different workers, and hangs.
#include <algorithm>
#include <cmath>
#include <set>

#include "policies/dbs.hpp"
#include "tests/catch.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

struct Loader {
  std::int64_t slice;
  std::int64_t batch;
  [[nodiscard]] std::int64_t steps() const { return (slice + batch - 1) / batch; }
};

// dataloader.py, partition_dataset: int(d N) samples in batches of int(B d), d = rounded / sum.
Loader loader_of(std::int64_t rounded, std::int64_t sum, std::int64_t samples, std::int64_t batch) {
  const double share = static_cast<double>(rounded) / static_cast<double>(sum);
  return {static_cast<std::int64_t>(share * static_cast<double>(samples)),
          static_cast<std::int64_t>(static_cast<double>(batch) * share)};
}

std::int64_t steps_of(std::int64_t rounded, std::int64_t sum) {
  return loader_of(rounded, sum, 50'000, 512).steps();
}

std::set<std::int64_t> step_counts(const Decision& decision) {
  std::set<std::int64_t> counts;
  for (std::size_t i = 0; i < decision.slices.size(); ++i) {
    counts.insert(Loader{decision.slices[i].count(), decision.local_batches[i].count()}.steps());
  }
  return counts;
}

// The sum S of the rounded batches, from the shares b / S that serve as weights.
std::int64_t rounded_sum(const Decision& decision, std::int64_t most) {
  for (std::int64_t sum = most; sum > 0; --sum) {
    const bool whole = std::ranges::all_of(decision.weights, [sum](double share) {
      const double batch = share * static_cast<double>(sum);
      return std::abs(batch - std::round(batch)) < 1e-9;
    });
    if (whole) return sum;
  }
  return 0;
}

}  // namespace

TEST_CASE("of 50,000 samples at B = 512, sums 512 and 511 give 98 steps, batch 1 excepted",
          "[steps]") {
  for (const std::int64_t sum : {512, 511}) {
    CHECK(steps_of(1, sum) == 97);
    for (std::int64_t batch = 2; batch <= sum; ++batch) CHECK(steps_of(batch, sum) == 98);
  }
}

TEST_CASE("a sum of 510 gives 98 steps up to batch 25 and 99 steps from 26", "[steps]") {
  // 50,000 / 510 = 98.04: a slice of 98.04 b samples needs a 99th step once 0.04 b reaches 1. From
  // 255 on the loader's batch int(512 b / 510) is one larger than b, and 98 steps do again.
  for (std::int64_t batch = 1; batch <= 510; ++batch) {
    INFO(batch);
    const bool longer = batch >= 26 && batch <= 254;
    CHECK(steps_of(batch, 510) == (longer ? 99 : 98));
  }
}

TEST_CASE("at 16 workers unequal step counts come from sums below 511", "[steps]") {
  RandomStream random = RandomStreams{41}.stream("steps", "sixteen");
  const std::unique_ptr<Policy> policy = make_dbs({.mode = DbsMode::code});
  int unequal = 0;
  int wrong = 0;
  constexpr int trials = 5'000;
  for (int trial = 0; trial < trials; ++trial) {
    const Decision start = policy->start(unknown_cluster(16, 512));
    std::vector<double> times(16);
    for (double& time : times) time = random.lognormal(0.7);
    const Decision next = policy->after_epoch(epoch_with_times(start, times)).value_or(start);
    const bool hangs = step_counts(next).size() > 1;
    const bool single =
        std::ranges::any_of(next.local_batches, [](Samples batch) { return batch == Samples{1}; });
    unequal += hangs ? 1 : 0;
    wrong += hangs && !single && rounded_sum(next, 512) > 510 ? 1 : 0;
  }
  CHECK(wrong == 0);
  CHECK(static_cast<double>(unequal) / trials == Approx(0.083).margin(0.012));
}

TEST_CASE("shares in binary can cost the loader a sample, or its only one", "[steps]") {
  // 29 / 100 as a double is a little below 0.29, so that int(100 * 0.29) is 28.
  CHECK(loader_of(29, 100, 50'000, 100).batch == 28);
  CHECK(loader_of(29, 100, 50'000, 100).slice == 14'499);
  CHECK(loader_of(1, 98, 50'000, 98).batch == 0);
  // Powers of two are safe: B d is then exact.
  for (const std::int64_t total : {64, 128, 256, 512, 1024}) {
    for (std::int64_t batch = 1; batch <= total; ++batch) {
      CHECK(loader_of(batch, total, 50'000, total).batch == batch);
    }
  }
}
