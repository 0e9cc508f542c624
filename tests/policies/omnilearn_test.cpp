#include "policies/omnilearn.hpp"

#include "tests/catch.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

constexpr OmniLearnSettings published{.mode = OmniLearnMode::code, .least = {}, .most = {}};

std::optional<Decision> after(const OmniLearnSettings& settings, std::int64_t global_batch,
                              const std::vector<double>& times) {
  const std::unique_ptr<Policy> policy = make_omnilearn(settings);
  const Decision first = policy->start(unknown_cluster(times.size(), global_batch));
  return policy->after_epoch(epoch_with_times(first, times));
}

}  // namespace

TEST_CASE("each worker has its own dead-band, and the sum is mended alike", "[omnilearn]") {
  // 32 each; the mean time is 1.075, so 34.4, 34.4, 34.4 (changes of 7 %) and 26.46 (21 %). What
  // 122.46 lacks of 128 is spread: 33.38 three times, and 27.85.
  const auto next = after({}, 128, {1.0, 1.0, 1.0, 1.3});
  REQUIRE(next);
  CHECK(counts_of(next->local_batches) == Whole{34, 33, 33, 28});
  CHECK_FALSE(after({}, 128, {1.0, 1.0, 1.0, 1.2}));  // 27.9 of 32: 15 %
}

TEST_CASE("the program rounds up everywhere, so that the global batch drifts", "[omnilearn]") {
  // 27 for 26.46; 123 lack 1.25 each: 33.25 and 28.25, rounded up: 131 of 128.
  const auto drifted = after(published, 128, {1.0, 1.0, 1.0, 1.3});
  REQUIRE(drifted);
  CHECK(counts_of(drifted->local_batches) == Whole{34, 34, 34, 29});
  // Mean 1.25: 40, 40, 40, 20, all by 20 % or more; 140 are 3 too many each.
  const auto even = after(published, 128, {1.0, 1.0, 1.0, 2.0});
  REQUIRE(even);
  CHECK(counts_of(even->local_batches) == Whole{37, 37, 37, 17});
}

TEST_CASE("in the program bounds hold only until the sum is mended", "[omnilearn]") {
  // 128 each are cut to 96, and each gets four times ceil(32 / 4) back.
  CHECK_FALSE(after(published, 512, {1.0, 1.0, 1.0, 1.0}));
}

TEST_CASE("bounds that are asked for hold in the end", "[omnilearn]") {
  const auto next = after({.dead_band = 0.1, .least = 20, .most = 40}, 128, {1.0, 1.0, 1.0, 3.0});
  REQUIRE(next);
  CHECK(counts_of(next->local_batches) == Whole{36, 36, 36, 20});
}
