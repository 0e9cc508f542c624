#include "sim/network/network_fit.hpp"

#include "sim/base/check.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

TEST_CASE("without efficiencies the law is a straight line", "[network]") {
  const NetworkFit fit{.latency = Seconds{1e-5}, .bandwidth = BytesPerSecond{1e9}};
  CHECK(fit.time(Bytes{1e6}).count() == Approx(1e-5 + 1e-3));
}

TEST_CASE("between two sizes the efficiency is geometric, outside it is the nearest", "[network]") {
  NetworkFit fit{.latency = Seconds{0.0}, .bandwidth = BytesPerSecond{100.0}};
  fit.efficiency = {{Bytes{100.0}, 0.25}, {Bytes{10'000.0}, 1.0}};
  CHECK(fit.efficiency_at(Bytes{1.0}) == 0.25);
  CHECK(fit.efficiency_at(Bytes{100.0}) == 0.25);
  CHECK(fit.efficiency_at(Bytes{1000.0}) == Approx(0.5));  // half way in both logarithms
  CHECK(fit.efficiency_at(Bytes{10'000.0}) == 1.0);
  CHECK(fit.efficiency_at(Bytes{1e9}) == 1.0);
  CHECK(fit.time(Bytes{1000.0}).count() == Approx(20.0));
}

TEST_CASE("a message without a size has no efficiency", "[network]") {
  CHECK_THROWS_AS(NetworkFit{}.efficiency_at(Bytes{0.0}), BrokenAssumption);
}

TEST_CASE("bus bandwidth is what nccl-tests prints", "[network]") {
  // 4 A100 over NVLink, 134217728 bytes in 974.9 us: algbw 137.67, busbw 206.51 GB/s
  // (rcgsheffield/sheffield_hpc, stanage/software/libs/cuda.rst).
  CHECK(bus_bandwidth(Bytes{134'217'728.0}, Seconds{974.9e-6}, 4).count() ==
        Approx(206.51e9).epsilon(1e-4));
  // Two ranks: as much as the message.
  CHECK(bus_bandwidth(Bytes{10.0}, Seconds{2.0}, 2).count() == 5.0);
  CHECK(bus_bandwidth(Bytes{10.0}, Seconds{2.0}, 1).count() == 0.0);
}
