#include "calib/measure/interval.hpp"

#include <array>
#include <cmath>

#include "sim/base/random.hpp"
#include "tests/calib/support/samples.hpp"
#include "tests/catch.hpp"

using namespace dbsim;
using namespace dbsim::calib;
using namespace dbsim::calib::test;

TEST_CASE("visits that do not know of each other are not correlated", "[interval]") {
  RandomStream stream{1};
  std::vector<std::vector<double>> batches(50, std::vector<double>(20));
  for (auto& batch : batches) {
    for (double& value : batch) value = 1.0 + 0.01 * stream.normal();
  }
  CHECK(visit_correlation(batches) < 0.05);
}

TEST_CASE("the correlation of a first-order process is found again", "[interval]") {
  RandomStream stream{2};
  std::vector<std::vector<double>> batches(50, std::vector<double>(40));
  for (auto& batch : batches) {
    double state = stream.normal();
    for (double& value : batch) {
      state = 0.6 * state + 0.8 * stream.normal();
      value = 1.0 + 0.01 * state;
    }
  }
  CHECK(visit_correlation(batches) == Approx(0.6).margin(0.05));
}

TEST_CASE("drift that all batches share is seen through the noise of visits", "[interval]") {
  RandomStream stream{3};
  std::vector<Deviation> still;
  std::vector<Deviation> rising;
  for (int i = 0; i < 300; ++i) {
    const double noise = 0.01 * stream.normal();
    still.push_back({static_cast<double>(i), noise});
    rising.push_back({static_cast<double>(i), noise + 0.06 * i / 300.0});
  }
  CHECK(shared_drift(still) == 0.0);
  // The means of sixths of a line that rises by h are h/6 apart: their deviation is
  // h/6 sqrt(3.5).
  CHECK(shared_drift(rising) == Approx(0.01 * std::sqrt(3.5)).epsilon(0.1));
}

TEST_CASE("drift is a matter of time, not of the order of batches", "[interval]") {
  std::vector<Deviation> deviations;
  for (int i = 0; i < 60; ++i)
    deviations.push_back({static_cast<double>(i % 30), 0.001 * (i % 30)});
  CHECK(shared_drift(deviations) > 0.005);
}

TEST_CASE("the interval of independent visits is Student's, for a median, of two runs",
          "[interval]") {
  const std::array<double, 5> medians{0.98, 0.99, 1.0, 1.01, 1.02};
  // s = sqrt(2.5) %, t(4) = 2.776445; pi/2 for the median, 2 for the second run, 0.2 % a restart.
  const double within = 2.776445 * std::sqrt(2.5) * 0.01 * std::sqrt(3.14159265 / 5.0);
  const double restart = 1.959964 * std::sqrt(2.0) * 0.002;
  CHECK(*relative_half_width(medians, {}) == Approx(std::hypot(within, restart)).epsilon(1e-5));
}

TEST_CASE("correlation and drift widen an interval, more visits narrow it", "[interval]") {
  const std::array<double, 5> few{0.98, 0.99, 1.0, 1.01, 1.02};
  const std::array<double, 10> many{0.98, 0.99, 1.0, 1.01, 1.02, 0.98, 0.99, 1.0, 1.01, 1.02};
  const double plain = *relative_half_width(few, {});
  CHECK(*relative_half_width(few, {.correlation = 0.5, .drift = 0.0}) > 1.3 * plain);
  CHECK(*relative_half_width(few, {.correlation = 0.0, .drift = 0.01}) > plain);
  CHECK(*relative_half_width(many, {}) < plain);
}

TEST_CASE("one visit has no interval, nor has a part that takes no time", "[interval]") {
  CHECK_FALSE(relative_half_width(std::array{1.0}, {}).has_value());
  CHECK_FALSE(relative_half_width(std::array{0.0, 0.0, 0.0}, {}).has_value());
  CHECK_FALSE(estimate_median(samples_of(8, {0.1}).visits, Part::step, {}).has_value());
}

TEST_CASE("the median of an interval is that of all steps", "[interval]") {
  const auto estimate = estimate_median(samples_of(8, {0.1, 0.2, 0.9}).visits, Part::backward, {});
  REQUIRE(estimate);
  CHECK(estimate->median == Approx(0.12));
  CHECK(estimate->interval.low >= 0.0);
  CHECK(estimate->interval.high > 0.12);
}
