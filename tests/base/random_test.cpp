#include "sim/base/random.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "sim/base/check.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

struct Moments {
  double mean{};
  double variance{};
  double skewness{};
  double kurtosis{};
};

Moments moments_of(const std::vector<double>& draws) {
  const auto count = static_cast<double>(draws.size());
  Moments moments;
  for (const double draw : draws) moments.mean += draw / count;
  double third = 0.0;
  double fourth = 0.0;
  for (const double draw : draws) {
    const double off = draw - moments.mean;
    moments.variance += off * off / count;
    third += off * off * off / count;
    fourth += off * off * off * off / count;
  }
  moments.skewness = third / std::pow(moments.variance, 1.5);
  moments.kurtosis = fourth / (moments.variance * moments.variance);
  return moments;
}

template <class Draw>
std::vector<double> draws_of(std::string_view owner, Draw draw) {
  RandomStream random = RandomStreams{3}.stream("moments", owner);
  std::vector<double> draws(400'000);
  std::ranges::generate(draws, [&] { return draw(random); });
  return draws;
}

// P(Z <= x) by the error function of the C library: another way than AS 241.
double normal_probability(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

}  // namespace

TEST_CASE("the generator is xoshiro256++ seeded through SplitMix64", "[random]") {
  // The published vectors for seed 0, from the reference C sources (https://prng.di.unimi.it).
  const std::vector<std::uint64_t> expected{
      5987356902031041503U, 7051070477665621255U, 6633766593972829180U,  211316841551650330U,
      9136120204379184874U, 379361710973160858U,  15813423377499357806U, 15596884590815070553U,
      5439680534584881407U, 1369371744833522710U};
  RandomStream random{0};
  for (const std::uint64_t bits : expected) CHECK(random.bits() == bits);
}

TEST_CASE("a stream depends on seed, purpose and owner only, not on what was asked before",
          "[random]") {
  const RandomStreams streams{42};
  const std::uint64_t alone = streams.stream("jitter", "fast/3").bits();
  RandomStream other = streams.stream("interference", "fast/3");
  for (int i = 0; i < 100; ++i) (void)other.bits();
  CHECK(streams.stream("jitter", "fast/3").bits() == alone);
  CHECK(RandomStreams{42}.stream("jitter", "fast/3").bits() == alone);
}

TEST_CASE("streams of different names, owners, seeds and repeats all differ", "[random]") {
  std::set<std::uint64_t> first;
  std::size_t streams = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::uint64_t repeat = 0; repeat < 10; ++repeat) {
      for (const std::string_view purpose : {"", "a", "b", "ab", "jitter"}) {
        for (const std::string_view owner : {"", "a", "b", "ba", "fast/0", "fast/1"}) {
          first.insert(RandomStreams{seed}.repeat(repeat).stream(purpose, owner).bits());
          ++streams;
        }
      }
    }
  }
  CHECK(first.size() == streams);
}

TEST_CASE("purpose and owner are not run together", "[random]") {
  const RandomStreams streams{1};
  CHECK_FALSE(streams.stream("ab", "c") == streams.stream("a", "bc"));
  CHECK_FALSE(streams.stream("abc", "") == streams.stream("", "abc"));
}

TEST_CASE("neighbouring streams are uncorrelated", "[random]") {
  const RandomStreams streams{9};
  RandomStream left = streams.stream("jitter", "w1");
  RandomStream right = streams.stream("jitter", "w2");
  constexpr int draws = 200'000;
  double product = 0.0;
  for (int i = 0; i < draws; ++i) product += left.normal() * right.normal();
  CHECK(std::abs(product / draws) < 4.0 / std::sqrt(double{draws}));
}

TEST_CASE("repeat 0 is the run itself", "[random]") {
  const RandomStreams streams{7};
  CHECK(streams.repeat(0).stream("x") == streams.stream("x"));
  CHECK_FALSE(streams.repeat(1).stream("x") == streams.stream("x"));
}

TEST_CASE("a copy of a stream repeats its draws", "[random]") {
  RandomStream random{5};
  (void)random.normal();
  RandomStream copy = random;
  CHECK(copy == random);
  CHECK(copy.bits() == random.bits());
}

TEST_CASE("one normal draw costs one draw of bits", "[random]") {
  RandomStream normal{5};
  RandomStream plain{5};
  (void)normal.normal();
  (void)plain.bits();
  CHECK(normal == plain);
}

// Tolerances are four standard errors of 400,000 draws or more; seeds are fixed.

TEST_CASE("uniform draws lie in (0, 1) and have the moments 1/2 and 1/12", "[random]") {
  const std::vector<double> draws = draws_of("uniform", std::mem_fn(&RandomStream::uniform));
  CHECK(*std::ranges::min_element(draws) > 0.0);
  CHECK(*std::ranges::max_element(draws) < 1.0);
  const Moments moments = moments_of(draws);
  CHECK(moments.mean == Approx(0.5).margin(0.002));
  CHECK(moments.variance == Approx(1.0 / 12.0).margin(0.0005));
}

TEST_CASE("normal draws have the moments 0, 1, 0 and 3", "[random]") {
  const Moments moments = moments_of(draws_of("normal", std::mem_fn(&RandomStream::normal)));
  CHECK(moments.mean == Approx(0.0).margin(0.0064));
  CHECK(moments.variance == Approx(1.0).margin(0.009));
  CHECK(moments.skewness == Approx(0.0).margin(0.016));
  CHECK(moments.kurtosis == Approx(3.0).margin(0.031));
}

TEST_CASE("log-normal draws have median 1 and mean exp(sigma^2 / 2)", "[random]") {
  std::vector<double> draws =
      draws_of("lognormal", [](RandomStream& random) { return random.lognormal(0.5); });
  CHECK(moments_of(draws).mean == Approx(std::exp(0.125)).epsilon(0.005));
  std::ranges::nth_element(draws, draws.begin() + std::ssize(draws) / 2);
  CHECK(draws[draws.size() / 2] == Approx(1.0).margin(0.005));
}

TEST_CASE("exponential draws are positive and have their mean as standard deviation", "[random]") {
  const std::vector<double> draws =
      draws_of("exponential", [](RandomStream& random) { return random.exponential(3.0); });
  CHECK(*std::ranges::min_element(draws) > 0.0);
  const Moments moments = moments_of(draws);
  CHECK(moments.mean == Approx(3.0).epsilon(0.007));
  CHECK(std::sqrt(moments.variance) == Approx(3.0).epsilon(0.01));
}

TEST_CASE("whole draws reach both ends and favour no number", "[random]") {
  RandomStream random = RandomStreams{4}.stream("whole");
  std::vector<int> seen(7);
  constexpr int draws = 70'000;
  for (int i = 0; i < draws; ++i) ++seen[static_cast<std::size_t>(random.whole(-3, 3) + 3)];
  double chi_squared = 0.0;
  for (const int count : seen) chi_squared += (count - 10'000.0) * (count - 10'000.0) / 10'000.0;
  CHECK(chi_squared < 22.46);  // 99.9 % of the chi-squared distribution with 6 degrees
}

TEST_CASE("whole draws know wide ranges and the narrowest", "[random]") {
  RandomStream random{8};
  CHECK(random.whole(5, 5) == 5);
  constexpr std::int64_t wide = std::int64_t{1} << 61;
  double sum = 0.0;
  for (int i = 0; i < 10'000; ++i) {
    const std::int64_t draw = random.whole(-wide, wide);
    REQUIRE((draw >= -wide && draw <= wide));
    sum += static_cast<double>(draw) / static_cast<double>(wide);
  }
  CHECK(sum / 10'000 == Approx(0.0).margin(4.0 / std::sqrt(3.0 * 10'000)));
  CHECK_THROWS_AS(random.whole(2, 1), BrokenAssumption);
}

TEST_CASE("normal quantiles are those of the tables to the last digits", "[random]") {
  // 40-digit values by root finding on the error function.
  const std::vector<std::pair<double, double>> known{{0.5, 0.0},
                                                     {0.75, 0.6744897501960817432},
                                                     {0.925, 1.439531470938455915},
                                                     {0.95, 1.644853626951472715},
                                                     {0.975, 1.959963984540054236},
                                                     {0.995, 2.575829303548900761},
                                                     {0.001, -3.090232306167813542},
                                                     {1e-10, -6.361340902404056205},
                                                     {1e-20, -9.262340089798407574},
                                                     {1e-100, -21.27345356096532430}};
  for (const auto& [p, x] : known) {
    INFO(p);
    CHECK(normal_quantile(p) == Approx(x).epsilon(4e-15).margin(1e-16));
  }
}

TEST_CASE("normal quantiles are antisymmetric and rise, across the joints of AS 241 too",
          "[random]") {
  CHECK(normal_quantile(0.25) == -normal_quantile(0.75));
  CHECK(normal_quantile(0.0625) == -normal_quantile(0.9375));
  const double far = std::exp(-25.0);  // where the tail approximation changes
  for (const double joint : {0.075, 0.925, far}) {
    const double step = joint * 1e-9;
    CHECK(normal_quantile(joint - step) < normal_quantile(joint + step));
    CHECK(normal_quantile(joint - step) == Approx(normal_quantile(joint + step)).epsilon(1e-6));
  }
}

TEST_CASE("normal quantiles invert the error function", "[random]") {
  for (double x = -8.0; x <= 0.0; x += 0.125) {
    CHECK(normal_quantile(normal_probability(x)) == Approx(x).margin(1e-13));
  }
}
