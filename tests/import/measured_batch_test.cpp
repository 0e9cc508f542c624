#include "sim/import/measured_batch.hpp"

#include <cmath>

#include "tests/catch.hpp"

using namespace dbsim;

TEST_CASE("repetitions become median, percentiles and coefficient of variation", "[import]") {
  // By hand: mean 3, squares 4 + 1 + 0 + 1 + 4 = 10 over n - 1 = 4; the 5th percentile lies a fifth
  // of the way from the first value to the second.
  const TimeStatistics five = statistics_of({5.0, 1.0, 4.0, 2.0, 3.0});
  CHECK(five.median == 3.0);
  CHECK(*five.p05 == Approx(1.2));
  CHECK(*five.p95 == Approx(4.8));
  CHECK(*five.cv == Approx(std::sqrt(2.5) / 3.0));
  CHECK(five.repetitions == 5);
  CHECK(statistics_of({1.0, 2.0}).median == 1.5);
}

TEST_CASE("one time has no spread to speak of", "[import]") {
  const TimeStatistics one = statistics_of({0.25});
  CHECK(one == TimeStatistics{.median = 0.25, .repetitions = 1});
}

TEST_CASE("measurements of one batch size are put together, and points rise", "[import]") {
  const std::vector<ProfilePoint> points =
      to_points({{.batch = Samples{32}, .step = {3.0}},
                 {.batch = Samples{8}, .step = {1.0}, .forward = {0.5}},
                 {.batch = Samples{32}, .step = {5.0, 4.0}, .update = {0.25}}});
  REQUIRE(points.size() == 2);
  CHECK(points[0].batch == Samples{8});
  CHECK(points[0].forward->median == 0.5);
  CHECK_FALSE(points[0].backward.has_value());
  CHECK(points[1].batch == Samples{32});
  CHECK(points[1].step.median == 4.0);
  CHECK(points[1].step.repetitions == 3);
  CHECK(points[1].update->repetitions == 1);
}
