#include "policies/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/base/apportion.hpp"
#include "tests/catch.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

std::int64_t sum_of_counts(const Whole& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::vector<double> random_ideal(RandomStream& random, std::size_t workers, std::int64_t total) {
  std::vector<double> speeds(workers);
  for (double& speed : speeds) speed = random.lognormal(0.7);
  return in_proportion(speeds, total, std::vector<Bounds>(workers, Bounds{0, total}));
}

}  // namespace

TEST_CASE("both roundings of the paper's example agree", "[rounding]") {
  const std::vector<double> ideal{13.7, 16.5, 19.6, 14.2};
  CHECK(round_like_the_program(ideal, 64) == Whole{14, 16, 20, 14});
  CHECK(apportion(ideal, 64) == Whole{14, 16, 20, 14});
}

TEST_CASE("the program adds only where the fraction reaches a half", "[rounding]") {
  CHECK(round_like_the_program(std::vector{21.3, 21.3, 21.4}, 64) == Whole{21, 21, 21});
  CHECK(round_like_the_program(std::vector{10.5, 10.25, 10.25}, 31) == Whole{11, 10, 10});
  CHECK(round_like_the_program(std::vector{10.6, 10.3, 10.3, 10.8}, 42) == Whole{11, 10, 10, 11});
}

TEST_CASE("the program adds to no more than are missing", "[rounding]") {
  CHECK(round_like_the_program(std::vector{1.6, 1.7, 1.7}, 5) == Whole{1, 2, 2});
}

TEST_CASE("of equal fractions the program takes the last", "[rounding]") {
  CHECK(round_like_the_program(std::vector{1.5, 1.5, 2.5, 2.5}, 8) == Whole{1, 1, 3, 3});
}

TEST_CASE("whole ideals stay as they are, although nothing missing selects everybody",
          "[rounding]") {
  CHECK(round_like_the_program(std::vector{16.0, 32.0, 16.0}, 64) == Whole{16, 32, 16});
}

TEST_CASE("the program keeps the total or loses at most half a sample per worker", "[rounding]") {
  RandomStream random = RandomStreams{31}.stream("rounding", "losses");
  int wrong = 0;
  int lossy = 0;
  constexpr int trials = 20'000;
  for (int trial = 0; trial < trials; ++trial) {
    const Whole rounded = round_like_the_program(random_ideal(random, 16, 512), 512);
    const std::int64_t lost = 512 - sum_of_counts(rounded);
    wrong += lost < 0 || lost > 8 ? 1 : 0;
    lossy += lost > 0 ? 1 : 0;
  }
  CHECK(wrong == 0);
  // About every third draw at 16 workers with log-normal speeds of sigma 0.7.
  CHECK(static_cast<double>(lossy) / trials == Approx(0.33).margin(0.02));
}

TEST_CASE("where the program loses nothing it rounds like the paper", "[rounding]") {
  RandomStream random = RandomStreams{32}.stream("rounding", "agreement");
  int wrong = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const std::vector<double> ideal = random_ideal(random, 4, 512);
    const Whole rounded = round_like_the_program(ideal, 512);
    if (sum_of_counts(rounded) == 512) wrong += rounded != apportion(ideal, 512) ? 1 : 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("shares within limits are as many samples per speed, or the limit", "[rounding]") {
  RandomStream random = RandomStreams{33}.stream("rounding", "limits");
  int wrong = 0;
  for (int trial = 0; trial < 5'000; ++trial) {
    const auto workers = static_cast<std::size_t>(random.whole(1, 50));
    std::vector<double> speeds(workers);
    for (double& speed : speeds) speed = random.lognormal(trial % 2 == 0 ? 0.7 : 20.0);
    std::vector<Bounds> limits;
    std::int64_t room = 0;
    for (std::size_t i = 0; i < workers; ++i) {
      limits.push_back({1, random.whole(1, 200)});
      room += limits[i].most;
    }
    const std::int64_t total = random.whole(static_cast<std::int64_t>(workers), room);
    const std::vector<double> shares = in_proportion(speeds, total, limits);
    double most_that_grew = 0.0;  // samples per speed of those that are above their least
    double least_that_shrank = std::numeric_limits<double>::infinity();
    double sum = 0.0;
    for (std::size_t i = 0; i < workers; ++i) {
      sum += shares[i];
      if (shares[i] > 1.0) most_that_grew = std::max(most_that_grew, shares[i] / speeds[i]);
      if (shares[i] < static_cast<double>(limits[i].most)) {
        least_that_shrank = std::min(least_that_shrank, shares[i] / speeds[i]);
      }
    }
    const bool fair = most_that_grew <= least_that_shrank * (1.0 + 1e-9);
    const bool whole = std::abs(sum - static_cast<double>(total)) <= 1e-9 * sum;
    wrong += fair && whole ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("shares in proportion survive speeds whose sum overflows", "[rounding]") {
  const std::vector<Bounds> limits(3, Bounds{0, 64});
  CHECK(in_proportion(std::vector{1e308, 1e308, 0.0}, 64, limits) == std::vector{32.0, 32.0, 0.0});
}
