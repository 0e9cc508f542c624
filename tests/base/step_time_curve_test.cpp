#include "sim/base/step_time_curve.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/check.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

StepTimePoint point(std::int64_t batch, double seconds) {
  return {Samples{batch}, Seconds{seconds}};
}

std::vector<StepTimePoint> random_points(RandomStream& random) {
  std::vector<StepTimePoint> points;
  std::int64_t batch = 0;
  double seconds = 0.0;
  for (std::int64_t i = random.whole(2, 9); i > 0; --i) {
    batch += random.whole(1, 60);
    seconds += random.uniform() < 0.2 ? 0.0 : random.lognormal(1.5);
    points.push_back(point(batch, seconds + 0.001));
  }
  return points;
}

}  // namespace

TEST_CASE("a curve passes through its points", "[curve]") {
  RandomStream random = RandomStreams{21}.stream("curve", "points");
  for (int trial = 0; trial < 200; ++trial) {
    const StepTimeCurve curve{random_points(random)};
    for (const StepTimePoint& measured : curve.points()) {
      CHECK(curve.at(measured.batch).count() == Approx(measured.time.count()).epsilon(1e-14));
    }
  }
}

TEST_CASE("between two points a curve stays between their times and never turns", "[curve]") {
  RandomStream random = RandomStreams{22}.stream("curve", "monotone");
  int wrong = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<StepTimePoint> points = random_points(random);
    if (trial % 2 == 1) {  // any order of times: rising, falling and level stretches
      for (StepTimePoint& measured : points) measured.time = Seconds{random.lognormal(1.0)};
    }
    const StepTimeCurve curve{points};
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const double left = points[i].time.count();
      const double right = points[i + 1].time.count();
      const double slack = 1e-12 * std::max(left, right);
      double before = left;
      for (int part = 1; part <= 50; ++part) {
        const auto from = static_cast<double>(points[i].batch.count());
        const auto to = static_cast<double>(points[i + 1].batch.count());
        const double here = curve.at(from + (to - from) * part / 50.0).count();
        const bool onwards = left <= right ? here >= before - slack : here <= before + slack;
        const bool between =
            here >= std::min(left, right) - slack && here <= std::max(left, right) + slack;
        wrong += onwards && between ? 0 : 1;
        before = here;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("outside its points a curve goes on along the nearest two", "[curve]") {
  const StepTimeCurve curve{{point(10, 1.0), point(20, 1.5), point(40, 5.5)}};
  CHECK(curve.at(Samples{50}).count() == Approx(5.5 + 10 * 0.2));
  CHECK(curve.at(Samples{1'000}).count() == Approx(5.5 + 960 * 0.2));
  CHECK(curve.at(Samples{4}).count() == Approx(1.0 - 6 * 0.05));
  CHECK(curve.at(0.0).count() == Approx(0.5));
}

TEST_CASE("a step time is never negative", "[curve]") {
  const StepTimeCurve steep{{point(100, 1.0), point(101, 2.0)}};
  CHECK(steep.at(Samples{50}).count() == 0.0);
  const StepTimeCurve falling{{point(1, 2.0), point(2, 1.0)}};
  CHECK(falling.at(Samples{50}).count() == 0.0);
}

TEST_CASE("points on a line give that line everywhere", "[curve]") {
  const StepTimeCurve line = StepTimeCurve::affine(Seconds{0.0348}, Seconds{0.00353});
  std::vector<StepTimePoint> points;
  for (const std::int64_t batch : {2, 3, 17, 64, 200}) {
    points.push_back({Samples{batch}, line.at(Samples{batch})});
  }
  const StepTimeCurve curve{points};
  for (std::int64_t batch = 1; batch <= 400; ++batch) {
    CHECK(curve.at(Samples{batch}).count() ==
          Approx(line.at(Samples{batch}).count()).epsilon(1e-12));
  }
}

TEST_CASE("two points give a straight line", "[curve]") {
  const StepTimeCurve curve{{point(10, 1.0), point(30, 2.0)}};
  CHECK(curve.at(20.0).count() == Approx(1.5));
  CHECK(curve.at(15.0).count() == Approx(1.25));
}

TEST_CASE("an affine curve holds for every batch", "[curve]") {
  const StepTimeCurve line = StepTimeCurve::affine(Seconds{2.0}, Seconds{0.5});
  CHECK(line.at(Samples{8}).count() == Approx(6.0));
  CHECK_FALSE(line.measured());
  CHECK(line.points().empty());
  CHECK(line.rises());
}

TEST_CASE("a curve knows the range that was measured", "[curve]") {
  const StepTimeCurve curve{{point(2, 1.0), point(32, 2.0), point(256, 9.0)}};
  REQUIRE(curve.measured());
  CHECK(curve.measured()->smallest == Samples{2});
  CHECK(curve.measured()->largest == Samples{256});
}

TEST_CASE("a curve rises when its points do", "[curve]") {
  CHECK(StepTimeCurve{{point(1, 1.0), point(2, 1.0), point(3, 2.0)}}.rises());
  CHECK_FALSE(StepTimeCurve{{point(1, 2.0), point(2, 1.0), point(3, 3.0)}}.rises());
  CHECK_FALSE(StepTimeCurve{{point(1, 1.0), point(2, 3.0), point(3, 2.0)}}.rises());
}

TEST_CASE("scaling a curve multiplies every time", "[curve]") {
  RandomStream random = RandomStreams{23}.stream("curve", "scaled");
  for (int trial = 0; trial < 50; ++trial) {
    const StepTimeCurve curve{random_points(random)};
    const double factor = random.lognormal(1.0);
    const StepTimeCurve scaled = curve.scaled(factor);
    for (std::int64_t batch = 1; batch < 200; batch += 7) {
      CHECK(scaled.at(Samples{batch}).count() ==
            Approx(factor * curve.at(Samples{batch}).count()).epsilon(1e-12).margin(1e-300));
    }
  }
  const StepTimeCurve line = StepTimeCurve::affine(Seconds{2.0}, Seconds{0.5}).scaled(3.0);
  CHECK(line.at(Samples{8}).count() == Approx(18.0));
}

TEST_CASE("points that make no curve are broken assumptions", "[curve]") {
  using Points = std::vector<StepTimePoint>;
  CHECK_THROWS_AS(StepTimeCurve{Points{}}, BrokenAssumption);
  CHECK_THROWS_AS((StepTimeCurve{Points{point(1, 1.0)}}), BrokenAssumption);
  CHECK_THROWS_AS((StepTimeCurve{Points{point(0, 1.0), point(1, 1.0)}}), BrokenAssumption);
  CHECK_THROWS_AS((StepTimeCurve{Points{point(1, 0.0), point(2, 1.0)}}), BrokenAssumption);
  CHECK_THROWS_AS((StepTimeCurve{Points{point(2, 1.0), point(2, 2.0)}}), BrokenAssumption);
  CHECK_THROWS_AS((StepTimeCurve{Points{point(3, 1.0), point(2, 2.0)}}), BrokenAssumption);
  CHECK_THROWS_AS(StepTimeCurve::affine(Seconds{-1.0}, Seconds{1.0}), BrokenAssumption);
  CHECK_THROWS_AS(StepTimeCurve::affine(Seconds{1.0}, Seconds{0.0}), BrokenAssumption);
  const StepTimeCurve line = StepTimeCurve::affine(Seconds{1.0}, Seconds{1.0});
  CHECK_THROWS_AS(line.scaled(0.0), BrokenAssumption);
}
