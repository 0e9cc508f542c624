#include "policies/equal_finish.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "policies/forecast.hpp"
#include "policies/min_max.hpp"
#include "tests/catch.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

std::vector<FinishLine> lines_of(const std::vector<Line>& lines) {
  std::vector<FinishLine> finish;
  for (const Line& line : lines) finish.push_back({line.overhead, line.per_sample});
  return finish;
}

double time_of(const FinishLine& line, double batch) {
  return std::max(line.floor, line.overhead + line.per_sample * batch);
}

double sum_of(const std::vector<double>& batches) {
  return std::accumulate(batches.begin(), batches.end(), 0.0);
}

}  // namespace

TEST_CASE("on the four LBB cards equal finish is at 165.0 165.9 156.8 24.3, 120.5 ms",
          "[equal-finish]") {
  // Published with the slopes and intercepts unrounded; these have two or three figures.
  const std::vector<double> batches =
      equal_finish(lines_of(lbb_lines()), 512, std::vector<Bounds>(4, Bounds{1, 512}));
  const std::vector<double> published{165.0, 165.9, 156.8, 24.3};
  for (std::size_t i = 0; i < 4; ++i) CHECK(batches[i] == Approx(published[i]).margin(0.7));
  CHECK(lbb_lines()[3].overhead + lbb_lines()[3].per_sample * batches[3] ==
        Approx(0.1205).epsilon(0.005));
}

TEST_CASE("without limits that bind, equal finish is the closed form", "[equal-finish]") {
  RandomStream random = RandomStreams{91}.stream("equal finish");
  for (int trial = 0; trial < 200; ++trial) {
    const auto workers = static_cast<std::size_t>(random.whole(1, 20));
    const std::vector<Line> lines = random_lines(random, workers);
    const std::int64_t total = 1'000'000;
    double numerator = static_cast<double>(total);
    double denominator = 0.0;
    for (const Line& line : lines) {
      numerator += line.overhead / line.per_sample;
      denominator += 1.0 / line.per_sample;
    }
    const double time = numerator / denominator;
    const std::vector<double> batches =
        equal_finish(lines_of(lines), total, std::vector<Bounds>(workers, Bounds{0, total}));
    for (std::size_t i = 0; i < workers; ++i) {
      REQUIRE(batches[i] == Approx((time - lines[i].overhead) / lines[i].per_sample).epsilon(1e-9));
    }
  }
}

TEST_CASE("within limits nobody finishes later than the exact whole-number optimum",
          "[equal-finish]") {
  RandomStream random = RandomStreams{92}.stream("equal finish", "limits");
  for (int trial = 0; trial < 300; ++trial) {
    const auto workers = static_cast<std::size_t>(random.whole(2, 12));
    const std::vector<Line> lines = random_lines(random, workers);
    const ClusterView cluster = cluster_of(lines, 512);
    std::vector<const StepTimeCurve*> curves;
    std::vector<Bounds> limits;
    for (const WorkerView& worker : cluster.workers) {
      curves.push_back(&*worker.nominal);
      limits.push_back({1, random.whole(512 / 4, 512)});
    }
    limits.front().most = 512;
    const std::vector<double> batches = equal_finish(lines_of(lines), 512, limits);
    const std::vector<std::int64_t> whole = min_max_batches(curves, limits, 512);
    double slowest = 0.0;
    double bound = 0.0;
    for (std::size_t i = 0; i < workers; ++i) {
      REQUIRE(batches[i] >= static_cast<double>(limits[i].least) - 1e-9);
      REQUIRE(batches[i] <= static_cast<double>(limits[i].most) + 1e-9);
      slowest = std::max(slowest, time_of(lines_of(lines)[i], batches[i]));
      bound = std::max(bound, curves[i]->at(Samples{whole[i]}).count());
    }
    REQUIRE(sum_of(batches) == Approx(512.0).epsilon(1e-12));
    REQUIRE(slowest <= bound * (1.0 + 1e-9));
  }
}

TEST_CASE("samples that a floor makes free are divided where they are free", "[equal-finish]") {
  // Up to 40 samples on each take 0.1 s. Of 60, nobody gets more than 40.
  const std::vector<FinishLine> lines(2, FinishLine{0.06, 0.001, 0.1});
  const std::vector<double> batches =
      equal_finish(lines, 60, std::vector<Bounds>(2, Bounds{1, 60}));
  CHECK(batches[0] == Approx(30.0));
  CHECK(sum_of(batches) == Approx(60.0));
  const std::vector<double> all = equal_finish(lines, 100, std::vector<Bounds>(2, Bounds{1, 100}));
  CHECK(time_of(lines[0], all[0]) == Approx(0.11));
}

TEST_CASE("a floor and a line are found again in the points they made", "[equal-finish]") {
  const FinishLine truth{.overhead = 0.004, .per_sample = 0.0005, .floor = 0.020};
  std::vector<StepTimePoint> points;
  for (std::int64_t batch = 4; batch <= 256; batch += 4) {
    points.push_back({Samples{batch}, Seconds{time_of(truth, static_cast<double>(batch))}});
  }
  const FinishLine found = fitted_line(StepTimeCurve{points});
  CHECK(found.overhead == Approx(truth.overhead).epsilon(1e-6));
  CHECK(found.per_sample == Approx(truth.per_sample).epsilon(1e-6));
  CHECK(found.floor == Approx(truth.floor).epsilon(1e-6));
  const FinishLine law = fitted_line(StepTimeCurve::affine(Seconds{0.01}, Seconds{0.002}));
  CHECK(law.overhead == Approx(0.01));
  CHECK(law.per_sample == Approx(0.002));
  CHECK(law.floor == 0.0);
}

TEST_CASE("ARIMA(1,1,0) continues a geometric approach exactly", "[forecast]") {
  // Changes of 8, 4, 2, 1: phi is 1/2, and the value after 115 is 115.5.
  ChangeForecast forecast;
  for (const double value : {100.0, 108.0, 112.0, 114.0, 115.0}) forecast.add(value);
  CHECK(forecast.next() == Approx(115.5));
}

TEST_CASE("ARIMA(1,1,0) turns with a series that alternates, and stays with one that is constant",
          "[forecast]") {
  ChangeForecast alternating;
  for (const double value : {10.0, 12.0, 10.0, 12.0, 10.0}) alternating.add(value);
  CHECK(alternating.next() == Approx(12.0));
  ChangeForecast constant;
  for (int i = 0; i < 5; ++i) constant.add(7.0);
  CHECK(constant.next() == 7.0);
  ChangeForecast falling;  // never below half the last, whatever the trend
  for (const double value : {64.0, 60.0, 40.0, 4.0}) falling.add(value);
  CHECK(falling.next() == 2.0);
}
