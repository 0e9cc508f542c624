#include "calib/network/median_interval.hpp"

#include <cmath>

#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;
using namespace dbsim::calib;

TEST_CASE("the ranks of a median's interval are those of the binomial table", "[network]") {
  CHECK_FALSE(median_rank(1));
  CHECK_FALSE(median_rank(5));  // all five miss the median with probability 2/32
  CHECK(median_rank(6) == 1U);  // 2/64
  CHECK(median_rank(8) == 1U);  // 2 (1 + 8)/256 would be 7 %
  CHECK(median_rank(9) == 2U);  // 2 (1 + 9)/512
  CHECK(median_rank(10) == 2U);
  CHECK(median_rank(20) == 6U);
  // Critical values of the two-sided sign test at 5 % (one less than the rank).
  CHECK(median_rank(25) == 8U);
  CHECK(median_rank(50) == 18U);
  CHECK(median_rank(100) == 40U);
  CHECK(median_rank(0) == std::nullopt);
}

TEST_CASE("the rank of many values is the normal distribution's", "[network]") {
  for (const double n : {1e3, 1e4, 1e5}) {
    const auto rank = median_rank(static_cast<std::size_t>(n));
    REQUIRE(rank);
    CHECK(static_cast<double>(*rank) == Approx(n / 2 - 1.959964 * std::sqrt(n) / 2).margin(1.5));
  }
}

TEST_CASE("the interval holds the true median at least 95 times in 100", "[network]") {
  RandomStream draws{1};
  for (const std::size_t count : {6U, 17U, 60U}) {
    int held = 0;
    constexpr int trials = 4000;
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<double> values;
      for (std::size_t i = 0; i < count; ++i) values.push_back(draws.lognormal(1.0));  // median 1
      const OperationTime time = summary_of(values);
      if (*time.low <= 1.0 && 1.0 <= *time.high) ++held;
    }
    CHECK(held > 0.94 * trials);  // three standard errors below
  }
}

TEST_CASE("a summary of few values says what they are", "[network]") {
  const OperationTime one = summary_of({2.0});
  CHECK(one.median == 2.0);
  CHECK(one.p05 == 2.0);
  CHECK(one.p95 == 2.0);
  CHECK(one.repetitions == 1);
  CHECK_FALSE(one.low);
  CHECK_FALSE(relative_half_width(one));
  const OperationTime eleven = summary_of({10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(eleven.median == 5.0);
  CHECK(eleven.p05 == Approx(0.5));
  CHECK(eleven.p95 == Approx(9.5));
  CHECK(eleven.low == 1.0);  // rank 2 of 11
  CHECK(eleven.high == 9.0);
  CHECK(*relative_half_width(eleven) == Approx(0.8));
}
