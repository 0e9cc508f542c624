#include "sim/figure/scale.hpp"

#include <cmath>
#include <vector>

#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

/// One of `digits` times a power of ten.
bool round(double value, const std::vector<double>& digits) {
  const double power = std::pow(10.0, std::floor(std::log10(value) + 1e-9));
  for (const double digit : digits) {
    if (std::abs(value / power - digit) < 1e-9) return true;
  }
  return false;
}

bool round_ticks(Spacing spacing, const std::vector<double>& ticks) {
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    if (!(ticks[i - 1] < ticks[i])) return false;
    if (spacing == Spacing::doublings && std::exp2(std::round(std::log2(ticks[i]))) != ticks[i])
      return false;
    if (spacing == Spacing::decades && !round(ticks[i], {1.0, 2.0, 3.0, 5.0})) return false;
    if (spacing != Spacing::even) continue;
    const double step = ticks[i] - ticks[i - 1];
    if (!round(step, {1.0, 2.0, 5.0})) return false;
    if (std::abs(ticks[i] / step - std::round(ticks[i] / step)) > 1e-9) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("ticks are round, few, rise, and enclose the values without a tick to spare",
          "[figure][properties]") {
  RandomStream draws = RandomStreams{19}.stream("scales");
  for (int i = 0; i < 30'000; ++i) {
    const auto spacing = static_cast<Spacing>(draws.whole(0, 2));
    double low = std::pow(10.0, -9.0 + 18.0 * draws.uniform());
    double high = low * std::pow(10.0, draws.uniform() < 0.1 ? 0.0 : 9.0 * draws.uniform());
    if (spacing == Spacing::even && draws.uniform() < 0.3) low = -low;
    if (spacing == Spacing::even && draws.uniform() < 0.3) low = 0.0;
    if (low > high) std::swap(low, high);
    const auto most = static_cast<std::size_t>(draws.whole(4, 12));
    CAPTURE(i, static_cast<int>(spacing), low, high, most);
    const Scale scale = Scale::covering(spacing, low, high, most);
    const std::vector<double>& ticks = scale.ticks();
    REQUIRE(ticks.size() >= 2);
    REQUIRE(ticks.size() <= most);
    REQUIRE(round_ticks(spacing, ticks));
    REQUIRE(ticks.front() <= low);
    REQUIRE(ticks.back() >= high);
    if (low < high && ticks.size() > 2) {
      REQUIRE(ticks[1] > low);
      REQUIRE(ticks[ticks.size() - 2] < high);
    }
    REQUIRE(scale.part(scale.low()) == Approx(0.0).margin(1e-12));
    REQUIRE(scale.part(scale.high()) == Approx(1.0));
  }
}

TEST_CASE("scales that a person would draw", "[figure]") {
  using Ticks = std::vector<double>;
  CHECK(Scale::covering(Spacing::even, 0.0, 0.47).ticks() == Ticks{0, 0.1, 0.2, 0.3, 0.4, 0.5});
  CHECK(Scale::covering(Spacing::decades, 34.9, 407).ticks() == Ticks{20, 50, 100, 200, 500});
  CHECK(Scale::covering(Spacing::decades, 1.6, 10'000).ticks() == Ticks{1, 10, 100, 1'000, 10'000});
  CHECK(Scale::covering(Spacing::doublings, 20, 200).ticks() == Ticks{16, 32, 64, 128, 256});
  CHECK(Scale::covering(Spacing::doublings, 2, 4096).ticks() ==
        Ticks{1, 4, 16, 64, 256, 1024, 4096});
}

TEST_CASE("a logarithmic scale gives equal ratios equal room", "[figure]") {
  const Scale scale = Scale::covering(Spacing::decades, 1, 1000);
  CHECK(scale.part(10) - scale.part(1) == Approx(scale.part(1000) - scale.part(100)));
  CHECK(scale.part(2) - scale.part(1) == Approx(scale.part(40) - scale.part(20)));
}

TEST_CASE("a scale that reaches further keeps its ticks", "[figure]") {
  const Scale scale = Scale::covering(Spacing::even, 0, 10);
  const Scale wider = scale.reaching(-5, 20);
  CHECK(wider.ticks() == scale.ticks());
  CHECK(wider.part(7.5) == Approx(0.5));
  CHECK(wider.holds(-5));
  CHECK_FALSE(scale.holds(-5));
  CHECK(scale.reaching(2, 3).part(5) == scale.part(5));
}

TEST_CASE("rows go from the top down", "[figure]") {
  const Scale scale = Scale::rows(4);
  CHECK(scale.ticks() == std::vector<double>{0.5, 1.5, 2.5, 3.5});
  CHECK(scale.part(0.0) == 1.0);
  CHECK(scale.part(3.5) == 0.125);
}

TEST_CASE("ticks are written as people write them", "[figure]") {
  CHECK(tick_text(0.0) == "0");
  CHECK(tick_text(0.05) == "0.05");
  CHECK(tick_text(1.5) == "1.5");
  CHECK(tick_text(999) == "999");
  CHECK(tick_text(16'384) == "16,384");
  CHECK(tick_text(-1'000'000) == "-1,000,000");
  CHECK(tick_text(2e-7) == "2e-07");
}
