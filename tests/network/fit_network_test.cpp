#include "sim/network/fit_network.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

/// Powers of two from 8 bytes to 256 MiB.
std::vector<MessageTime> powers_of_two(const std::function<double(double)>& time) {
  std::vector<MessageTime> measured;
  for (int exponent = 3; exponent <= 28; ++exponent) {
    const double bytes = std::ldexp(1.0, exponent);
    measured.push_back({Bytes{bytes}, Seconds{time(bytes)}});
  }
  return measured;
}

std::vector<MessageTime> random_rising(RandomStream& draws) {
  std::vector<MessageTime> measured;
  double bytes = 0.0;
  double time = 0.0;
  for (std::int64_t left = draws.whole(2, 30); left > 0; --left) {
    bytes += std::ceil(draws.lognormal(3.0));
    time += 1e-6 * draws.lognormal(2.0);
    measured.push_back({Bytes{bytes}, Seconds{time}});
  }
  return measured;
}

}  // namespace

TEST_CASE("a straight line gives back its latency and bandwidth, and efficiencies of 1",
          "[network]") {
  RandomStream draws{1};
  for (int i = 0; i < 100; ++i) {
    const double latency = 1e-5 * draws.lognormal(2.0);
    const double bandwidth = 1e9 * draws.lognormal(2.0);
    const NetworkFit fit =
        fit_network(powers_of_two([&](double bytes) { return latency + bytes / bandwidth; }));
    CHECK(fit.latency.count() == Approx(latency).epsilon(1e-8));
    CHECK(fit.bandwidth.count() == Approx(bandwidth).epsilon(1e-8));
    CHECK(fit.affine_from == Bytes{8.0});
    CHECK(fit.affine_residual < 1e-8);
    CHECK(fit.residual < 1e-8);
    // A few bytes more or less are hard to tell beside the latency.
    CHECK(fit.efficiency_at(Bytes{1e6}) == Approx(1.0).epsilon(1e-4));
    CHECK(fit.efficiency_at(Bytes{1e8}) == Approx(1.0).epsilon(1e-6));
  }
}

TEST_CASE("noise of one percent moves latency and bandwidth by about as much", "[network]") {
  RandomStream draws{2};
  for (int i = 0; i < 100; ++i) {
    const NetworkFit fit = fit_network(powers_of_two(
        [&](double bytes) { return (2e-5 + bytes / 1.2e9) * draws.lognormal(0.01); }));
    CHECK(fit.bandwidth.count() == Approx(1.2e9).epsilon(0.03));
    CHECK(fit.latency.count() == Approx(2e-5).epsilon(0.04));
  }
}

TEST_CASE("a disturbed size moves neither latency nor bandwidth", "[network]") {
  for (const double disturbed : {8.0, 65'536.0, 16'777'216.0}) {
    const NetworkFit fit = fit_network(powers_of_two(
        [&](double bytes) { return (2e-5 + bytes / 1.2e9) * (bytes == disturbed ? 3.0 : 1.0); }));
    CHECK(fit.bandwidth.count() == Approx(1.2e9).epsilon(1e-3));
    CHECK(fit.latency.count() == Approx(2e-5).epsilon(1e-3));
  }
}

TEST_CASE("a protocol for small messages is told from the one for large ones", "[network]") {
  // Up to 64 KiB: 10 us and 1 GB/s; above: 150 us and 4 GB/s.
  const auto time = [](double bytes) {
    return bytes <= 65'536.0 ? 1e-5 + bytes / 1e9 : 1.5e-4 + bytes / 4e9;
  };
  const NetworkFit fit = fit_network(powers_of_two(time));
  CHECK(fit.affine_from == Bytes{131'072.0});
  CHECK(fit.bandwidth.count() == Approx(4e9));
  CHECK(fit.affine_residual < 1e-8);
  CHECK(fit.latency.count() == Approx(1e-5).epsilon(1e-3));  // no message is faster
  CHECK(fit.residual < 1e-8);
  // From the law itself: efficiency = s / (B (t - latency)).
  CHECK(fit.efficiency_at(Bytes{65'536.0}) == Approx(0.25).epsilon(1e-3));
  CHECK(fit.efficiency_at(Bytes{1'048'576.0}) ==
        Approx(262'144.0e-9 / (1.4e-4 + 262'144.0e-9)).epsilon(1e-3));
}

TEST_CASE("the latency is a small message's where large ones do not tell it", "[network]") {
  // Large messages as if there were no latency, as several published tables have it.
  const NetworkFit fit =
      fit_network(powers_of_two([](double bytes) { return std::max(1.2e-5, bytes / 4e9); }));
  CHECK(fit.bandwidth.count() == Approx(4e9));
  CHECK(fit.latency.count() == Approx(1.2e-5).epsilon(1e-3));
  CHECK(fit.residual < 1e-8);
}

TEST_CASE("a smallest message that is not small says nothing about the latency", "[network]") {
  // 1 MiB upwards; the two smallest are slow, and the line beyond has a latency of 50 us.
  std::vector<MessageTime> measured{{Bytes{1'048'576.0}, Seconds{2e-3}},
                                    {Bytes{2'097'152.0}, Seconds{3e-3}}};
  for (int exponent = 22; exponent < 30; ++exponent) {
    const double bytes = std::ldexp(1.0, exponent);
    measured.push_back({Bytes{bytes}, Seconds{5e-5 + bytes / 1e9}});
  }
  const NetworkFit fit = fit_network(measured);
  CHECK(fit.affine_from == Bytes{4'194'304.0});
  CHECK(fit.latency.count() == Approx(5e-5).epsilon(1e-6));
}

TEST_CASE("the fit passes through all times that rise, and never falls in between", "[network]") {
  RandomStream draws{3};
  for (int i = 0; i < 500; ++i) {
    const std::vector<MessageTime> measured = random_rising(draws);
    const NetworkFit fit = fit_network(measured);
    CHECK(fit.residual < 1e-9);
    for (std::size_t next = 1; next < measured.size(); ++next) {
      const MessageTime& low = measured[next - 1];
      const MessageTime& high = measured[next];
      CHECK(fit.time(low.bytes).count() == Approx(low.time.count()).epsilon(1e-9));
      double before = low.time.count();
      for (int eighths = 1; eighths < 8; ++eighths) {
        const double bytes = low.bytes.count() + eighths / 8.0 * (high.bytes - low.bytes).count();
        const double now = fit.time(Bytes{bytes}).count();
        CHECK(now >= before * (1.0 - 1e-9));
        CHECK(now <= high.time.count() * (1.0 + 1e-9));
        before = now;
      }
    }
  }
}

TEST_CASE("times that fall with size are pooled, and the residual says by how much", "[network]") {
  // 8 and 2 become their geometric mean, 4: off by a half and by 1.
  const NetworkFit fit = fit_network(std::vector<MessageTime>{{Bytes{1.0}, Seconds{2.0}},
                                                              {Bytes{2.0}, Seconds{8.0}},
                                                              {Bytes{3.0}, Seconds{2.0}},
                                                              {Bytes{4.0}, Seconds{16.0}}});
  CHECK(fit.time(Bytes{1.0}).count() == Approx(2.0));
  CHECK(fit.time(Bytes{2.0}).count() == Approx(4.0));
  CHECK(fit.time(Bytes{3.0}).count() == Approx(4.0));
  CHECK(fit.time(Bytes{4.0}).count() == Approx(16.0));
  CHECK(fit.residual == Approx(1.0));
}

TEST_CASE("equal times for all sizes are latency, and stay so", "[network]") {
  const NetworkFit fit = fit_network(powers_of_two([](double) { return 1e-5; }));
  CHECK(fit.latency.count() == Approx(1e-5).epsilon(1e-6));
  CHECK(std::isfinite(fit.bandwidth.count()));
  for (const double bytes : {1.0, 8.0, 5000.0, 1e8}) {
    CHECK(fit.time(Bytes{bytes}).count() == Approx(1e-5).epsilon(1e-6));
  }
}

TEST_CASE("two sizes make a line; one is not enough", "[network]") {
  const NetworkFit fit = fit_network(
      std::vector<MessageTime>{{Bytes{1000.0}, Seconds{2.0}}, {Bytes{3000.0}, Seconds{4.0}}});
  CHECK(fit.latency.count() == Approx(1.0));
  CHECK(fit.bandwidth.count() == Approx(1000.0));
  CHECK_THROWS_AS(fit_network(std::vector<MessageTime>{{Bytes{1.0}, Seconds{2.0}}}),
                  BrokenAssumption);
}
