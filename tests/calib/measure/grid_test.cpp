#include "calib/measure/grid.hpp"

#include <cmath>

#include "tests/catch.hpp"

using namespace dbsim::calib;
using Batches = std::vector<std::int64_t>;

TEST_CASE("a geometric grid begins at low, grows by the factor and ends at high", "[grid]") {
  CHECK(geometric_grid(8, 512, 2.0) == Batches{8, 16, 32, 64, 128, 256, 512});
  CHECK(geometric_grid(8, 100, 2.0) == Batches{8, 16, 32, 64, 100});
  CHECK(geometric_grid(1, 4, 1.2) == Batches{1, 2, 3, 4});
  CHECK(geometric_grid(5, 5, 2.0) == Batches{5});
}

TEST_CASE("a straight curve needs no more points", "[grid]") {
  std::vector<CurvePoint> points;
  for (const std::int64_t batch : geometric_grid(8, 512, 2.0)) {
    points.push_back({batch, 0.01 + 0.001 * static_cast<double>(batch), 0.0});
  }
  CHECK(where_it_bends(points, 0.03).empty());
}

TEST_CASE("points are added on both sides of a bend, and nowhere else", "[grid]") {
  // Flat up to 64, where the device is full; a straight line from there.
  std::vector<CurvePoint> points;
  for (const std::int64_t batch : geometric_grid(8, 512, 2.0)) {
    points.push_back({batch, 0.001 * std::max(64.0, static_cast<double>(batch)), 0.0});
  }
  CHECK(where_it_bends(points, 0.03) == Batches{48, 96});
}

TEST_CASE("a bend that the intervals explain is none", "[grid]") {
  std::vector<CurvePoint> points{{8, 1.0, 0.0}, {16, 2.3, 0.0}, {24, 3.0, 0.0}};
  CHECK(where_it_bends(points, 0.03) == Batches{12, 20});
  for (CurvePoint& point : points) point.half_width = 0.3;
  CHECK(where_it_bends(points, 0.03).empty());
}

TEST_CASE("a gap of a tenth is not halved again", "[grid]") {
  const std::vector<CurvePoint> points{{100, 1.0, 0.0}, {105, 2.0, 0.0}, {200, 2.1, 0.0}};
  CHECK(where_it_bends(points, 0.03) == Batches{152});
  const std::vector<CurvePoint> close{{1, 1.0, 0.0}, {2, 3.0, 0.0}, {3, 3.0, 0.0}};
  CHECK(where_it_bends(close, 0.03).empty());
}
