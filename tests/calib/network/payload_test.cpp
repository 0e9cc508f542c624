#include "calib/network/payload.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "tests/catch.hpp"

using namespace dbsim::calib;

namespace {

/// Added in the order of ranks, or against it.
std::vector<float> sums_of(int ranks, std::size_t count, bool backwards) {
  std::vector<float> sums(count);
  for (int i = 0; i < ranks; ++i) {
    const int rank = backwards ? ranks - 1 - i : i;
    for (std::size_t at = 0; at < count; ++at) {
      sums[at] += payload_value(rank, at % payload_block);
    }
  }
  return sums;
}

}  // namespace

TEST_CASE("a payload is random, never zero, and different on every rank", "[network]") {
  const std::vector<float> first = payload(0, 10'000);
  const std::vector<float> second = payload(1, 10'000);
  CHECK(std::ranges::all_of(first, [](float value) { return value >= 0.5F && value < 1.5F; }));
  double mean = 0.0;
  for (const float value : first) mean += static_cast<double>(value) / 10'000.0;
  CHECK(mean == Approx(1.0).margin(0.015));  // five standard errors of a uniform number
  CHECK(std::set<float>(first.begin(), first.end()).size() > 9900);
  CHECK(first != second);
  CHECK(payload(1, 100) == std::vector<float>(second.begin(), second.begin() + 100));
}

TEST_CASE("sums are right in any order of adding", "[network]") {
  for (const int ranks : {1, 2, 3, 8, 64}) {
    for (const std::size_t count : {1U, 2U, 1000U, 5000U}) {
      CHECK(are_payload_sums(sums_of(ranks, count, false), ranks));
      CHECK(are_payload_sums(sums_of(ranks, count, true), ranks));
    }
  }
}

TEST_CASE("a payload repeats after a block", "[network]") {
  CHECK(are_payload_sums(sums_of(2, payload_block + 5000, false), 2));
}

TEST_CASE("a sum that lacks a rank, has one twice or is not a number is wrong", "[network]") {
  const std::vector<float> right = sums_of(4, 100, false);
  CHECK_FALSE(are_payload_sums(sums_of(3, 100, false), 4));
  CHECK_FALSE(are_payload_sums(sums_of(5, 100, false), 4));
  for (const std::size_t place : {0U, 50U, 99U}) {
    std::vector<float> wrong = right;
    wrong[place] += 1e-3F;
    CHECK_FALSE(are_payload_sums(wrong, 4));
    wrong[place] = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(are_payload_sums(wrong, 4));
  }
}
