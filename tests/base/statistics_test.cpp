#include "sim/base/statistics.hpp"

#include <cmath>
#include <vector>

#include "sim/base/check.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

TEST_CASE("the quantiles of Student's t are those of the printed tables", "[statistics]") {
  CHECK(student_t_quantile(0.975, 1) == Approx(12.706205).epsilon(1e-7));
  CHECK(student_t_quantile(0.975, 2) == Approx(4.302653).epsilon(1e-7));
  CHECK(student_t_quantile(0.975, 4) == Approx(2.776445).epsilon(1e-7));
  CHECK(student_t_quantile(0.975, 9) == Approx(2.262157).epsilon(1e-7));
  CHECK(student_t_quantile(0.975, 29) == Approx(2.0452296).epsilon(1e-7));
  CHECK(student_t_quantile(0.975, 1e9) == Approx(1.959964).epsilon(1e-6));
  CHECK(student_t_quantile(0.025, 4) == Approx(-2.776445).epsilon(1e-7));
}

TEST_CASE("mean and spread of a textbook sample", "[statistics]") {
  const std::vector<double> values{2, 4, 4, 4, 5, 5, 7, 9};
  CHECK(mean(values) == Approx(5.0));
  CHECK(sample_standard_deviation(values) == Approx(std::sqrt(32.0 / 7.0)));
}

TEST_CASE("a small spread around a large mean survives", "[statistics]") {
  const std::vector<double> values{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
  CHECK(sample_standard_deviation(values) == Approx(std::sqrt(30.0)));
}

TEST_CASE("equal values have exactly their mean and no spread", "[statistics]") {
  const std::vector<double> values(7, 0.1);
  CHECK(mean(values) == 0.1);
  CHECK(sample_standard_deviation(values) == 0.0);
  CHECK(estimate(values) == Estimate{.mean = 0.1, .ci95 = Interval{0.1, 0.1}});
}

TEST_CASE("the interval of 1 to 5 is 3 plus or minus 1.963", "[statistics]") {
  const std::vector<double> values{1, 2, 3, 4, 5};
  const Estimate result = estimate(values);
  CHECK(result.mean == Approx(3.0));
  REQUIRE(result.ci95);
  CHECK(result.ci95->low == Approx(3.0 - 1.963243).epsilon(1e-6));
  CHECK(result.ci95->high == Approx(3.0 + 1.963243).epsilon(1e-6));
}

TEST_CASE("a single value has no interval", "[statistics]") {
  const std::vector<double> one{4.0};
  CHECK(estimate(one) == Estimate{.mean = 4.0, .ci95 = std::nullopt});
}

TEST_CASE("pairing removes what a repeat does to both", "[statistics]") {
  const std::vector<double> baselines{10.0, 20.0, 40.0};
  const std::vector<double> halves{5.0, 10.0, 20.0};
  CHECK(paired_saving(halves, baselines) == Estimate{.mean = 0.5, .ci95 = Interval{0.5, 0.5}});
  const std::vector<double> two_less{8.0, 18.0, 38.0};
  CHECK(paired_difference(two_less, baselines) ==
        Estimate{.mean = -2.0, .ci95 = Interval{-2.0, -2.0}});
}

TEST_CASE("the interval of savings of 10, 20 and 30 % is 20 plus or minus 24.8", "[statistics]") {
  const std::vector<double> baselines{10.0, 10.0, 10.0};
  const std::vector<double> values{9.0, 8.0, 7.0};
  const Estimate saving = paired_saving(values, baselines);
  CHECK(saving.mean == Approx(0.2));
  REQUIRE(saving.ci95);
  CHECK(saving.ci95->low == Approx(0.2 - 0.2484138).epsilon(1e-6));
  CHECK(saving.ci95->high == Approx(0.2 + 0.2484138).epsilon(1e-6));
}

TEST_CASE("a baseline of no time at all is nothing to save from", "[statistics]") {
  const std::vector<double> none{0.0};
  CHECK(paired_saving(none, none).mean == 0.0);
}

TEST_CASE("statistics of nothing, or of unequal numbers of repeats, are refused", "[statistics]") {
  const std::vector<double> one{1.0};
  const std::vector<double> two{1.0, 2.0};
  CHECK_THROWS_AS(mean({}), BrokenAssumption);
  CHECK_THROWS_AS(sample_standard_deviation(one), BrokenAssumption);
  CHECK_THROWS_AS(paired_saving(one, two), BrokenAssumption);
}

TEST_CASE("quantiles lie between order statistics as Hyndman and Fan's seventh definition has it",
          "[statistics]") {
  // R: quantile(c(15, 20, 35, 40, 50), c(0.05, 0.4, 0.95)) gives 16, 29, 48.
  const std::vector<double> values{50, 15, 35, 20, 40};
  CHECK(quantile(values, 0.05) == Approx(16.0));
  CHECK(quantile(values, 0.4) == Approx(29.0));
  CHECK(quantile(values, 0.95) == Approx(48.0));
  CHECK(quantile(values, 0.0) == 15.0);
  CHECK(quantile(values, 1.0) == 50.0);
  CHECK(median({4, 1}) == 2.5);
  CHECK(median({7}) == 7.0);
}
