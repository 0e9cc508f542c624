#include "bench/roofline.hpp"

#include <algorithm>

#include "tests/catch.hpp"

using namespace dbsim::bench;

namespace {
// The ridge is at 10 FLOP per byte.
constexpr Peaks peaks{.flops_per_second = 1000.0, .bytes_per_second = 100.0};
}  // namespace

TEST_CASE("work with many FLOP per byte is bound by arithmetic", "[bench]") {
  CHECK(roofline_seconds(peaks, {.flops = 4000.0, .bytes = 100.0}) == 4.0);
}

TEST_CASE("work with few FLOP per byte is bound by bandwidth", "[bench]") {
  CHECK(roofline_seconds(peaks, {.flops = 4000.0, .bytes = 1000.0}) == 10.0);
}

TEST_CASE("work without FLOP takes the time of its bytes", "[bench]") {
  CHECK(roofline_seconds(peaks, {.flops = 0.0, .bytes = 200.0}) == 2.0);
}

TEST_CASE("FLOP over the roofline's time is the lesser of peak and intensity times bandwidth",
          "[bench]") {
  for (const double flops : {1.0, 100.0, 1000.0, 5000.0}) {
    const Work work{.flops = flops, .bytes = 100.0};
    const double attainable =
        std::min(peaks.flops_per_second, work.flops / work.bytes * peaks.bytes_per_second);
    CHECK(work.flops / roofline_seconds(peaks, work) == Approx(attainable));
  }
}
