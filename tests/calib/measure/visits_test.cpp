#include "calib/measure/visits.hpp"

#include <algorithm>

#include "tests/calib/support/samples.hpp"
#include "tests/catch.hpp"

using namespace dbsim::calib;
using namespace dbsim::calib::test;

namespace {

std::size_t count(const BatchSamples& samples, Disturbance kind) {
  const std::vector<Disturbance> marks = disturbances(samples);
  return static_cast<std::size_t>(std::count(marks.begin(), marks.end(), kind));
}

}  // namespace

TEST_CASE("quiet visits all count", "[visits]") {
  const BatchSamples samples = samples_of(8, {1.0, 1.01, 0.99, 1.0, 1.005});
  CHECK(kept_visits(samples).size() == 5);
}

TEST_CASE("a visit far from the others does not count", "[visits]") {
  const BatchSamples samples = samples_of(8, {1.0, 1.01, 1.5, 0.99, 1.0});
  const std::vector<Disturbance> marks = disturbances(samples);
  CHECK(marks[2] == Disturbance::outlier);
  CHECK(kept_visits(samples).size() == 4);
}

TEST_CASE("visits of two kinds, both frequent, all count: so the device is", "[visits]") {
  CHECK(count(samples_of(8, {1.0, 1.5, 1.0, 1.5, 1.0, 1.0}), Disturbance::outlier) == 0);
}

TEST_CASE("differences below two per cent are not worth a mark", "[visits]") {
  CHECK(count(samples_of(8, {1.0, 1.0, 1.0, 1.0, 1.0, 1.015}), Disturbance::outlier) == 0);
}

TEST_CASE("of three visits nobody can say which is odd", "[visits]") {
  CHECK(count(samples_of(8, {1.0, 1.0, 2.0}), Disturbance::outlier) == 0);
}

TEST_CASE("a throttled visit does not count, unless the device always throttles", "[visits]") {
  BatchSamples samples = samples_of(8, {1.0, 1.0, 1.2, 1.0});
  samples.visits[2].throttled = true;
  CHECK(count(samples, Disturbance::throttled) == 1);
  for (Visit& visit : samples.visits) visit.throttled = true;
  CHECK(count(samples, Disturbance::throttled) == 0);
}

TEST_CASE("a visit at a lower clock does not count; an unknown clock says nothing", "[visits]") {
  BatchSamples samples = samples_of(8, {1.0, 1.0, 1.0, 1.0, 1.0});
  samples.visits[1].clock_hz = 1.2e9;
  samples.visits[3].clock_hz = 0.0;
  CHECK(disturbances(samples)[1] == Disturbance::slow_clock);
  CHECK(kept_visits(samples).size() == 4);
}
