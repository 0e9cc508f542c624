#include "sim/base/apportion.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "sim/base/check.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

using Whole = std::vector<std::int64_t>;

std::int64_t sum_of(const Whole& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
}

// Twice the ideals as whole numbers, so that costs are exact and ties are ties.
struct HalfProblem {
  Whole doubled_ideal;
  std::vector<Bounds> bounds;
  std::int64_t total{};
  [[nodiscard]] std::vector<double> ideal() const {
    std::vector<double> halves;
    for (const std::int64_t doubled : doubled_ideal) {
      halves.push_back(static_cast<double>(doubled) / 2.0);
    }
    return halves;
  }
  [[nodiscard]] std::int64_t cost(const Whole& numbers) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::int64_t distance = 2 * numbers[i] - doubled_ideal[i];
      sum += distance * distance;
    }
    return sum;
  }
};

HalfProblem random_problem(RandomStream& random) {
  HalfProblem problem;
  std::int64_t least = 0;
  std::int64_t most = 0;
  for (std::int64_t i = random.whole(1, 4); i > 0; --i) {
    const std::int64_t low = random.whole(-3, 3);
    const Bounds bounds{low, low + random.whole(0, 6)};
    problem.doubled_ideal.push_back(random.whole(-8, 16));
    problem.bounds.push_back(bounds);
    least += bounds.least;
    most += bounds.most;
  }
  problem.total = random.whole(least, most);
  return problem;
}

// Of all numbers within the bounds that keep the sum, the cheapest; of equally cheap ones, the one
// that gives most to the smaller indices. Tries them in that order.
void try_all(const HalfProblem& problem, Whole& chosen, std::int64_t left, Whole& best) {
  const std::size_t i = chosen.size();
  if (i == problem.bounds.size()) {
    if (left == 0 && (best.empty() || problem.cost(chosen) < problem.cost(best))) best = chosen;
    return;
  }
  for (std::int64_t x = problem.bounds[i].most; x >= problem.bounds[i].least; --x) {
    chosen.push_back(x);
    try_all(problem, chosen, left - x, best);
    chosen.pop_back();
  }
}

// The condition of optimality (Gross 1956): moving one unit between any two does not pay.
bool no_exchange_pays(const std::vector<double>& ideal, const Whole& numbers,
                      const std::vector<Bounds>& bounds) {
  long double dearest_last = -std::numeric_limits<long double>::infinity();
  long double cheapest_next = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < ideal.size(); ++i) {
    const long double off = static_cast<long double>(numbers[i]) - ideal[i];
    if (numbers[i] > bounds[i].least) dearest_last = std::max(dearest_last, off);
    if (numbers[i] < bounds[i].most) cheapest_next = std::min(cheapest_next, off + 1.0L);
  }
  return dearest_last <= cheapest_next;
}

}  // namespace

TEST_CASE("the paper's appendix rounds 13.7 16.5 19.6 14.2 to 14 16 20 14", "[apportion]") {
  CHECK(apportion(std::vector{13.7, 16.5, 19.6, 14.2}, 64) == Whole{14, 16, 20, 14});
}

TEST_CASE("apportioning equals trying all assignments, bounds and ties included", "[apportion]") {
  RandomStream random = RandomStreams{11}.stream("apportion", "brute force");
  int wrong = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const HalfProblem problem = random_problem(random);
    Whole chosen;
    Whole best;
    try_all(problem, chosen, problem.total, best);
    wrong += apportion(problem.ideal(), problem.total, problem.bounds) != best ? 1 : 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("in large apportionings no exchange of a unit pays", "[apportion]") {
  RandomStream random = RandomStreams{12}.stream("apportion", "large");
  int wrong = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto count = static_cast<std::size_t>(random.whole(1, 2'000));
    const double spread = random.lognormal(4.0);
    std::vector<double> ideal;
    std::vector<Bounds> bounds;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < count; ++i) {
      ideal.push_back(spread * random.normal());
      bounds.push_back({random.whole(0, 5), random.whole(5, 1'000)});
      most += bounds[i].most;
    }
    const std::int64_t total = random.whole(5 * static_cast<std::int64_t>(count), most);
    const Whole numbers = apportion(ideal, total, bounds);
    bool good = sum_of(numbers) == total && no_exchange_pays(ideal, numbers, bounds);
    for (std::size_t i = 0; i < count; ++i) {
      good = good && numbers[i] >= bounds[i].least && numbers[i] <= bounds[i].most;
    }
    wrong += good ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("apportioning is exact where doubles barely count by one", "[apportion]") {
  RandomStream random = RandomStreams{13}.stream("apportion", "huge");
  constexpr auto total = std::int64_t{1} << 49;
  int wrong = 0;
  for (int trial = 0; trial < 2'000; ++trial) {
    std::vector<double> ideal(static_cast<std::size_t>(random.whole(2, 40)));
    for (double& part : ideal) part = 0x1p45 * random.uniform();
    const Whole numbers = apportion(ideal, total);
    const std::vector<Bounds> bounds(ideal.size());
    const bool good = sum_of(numbers) == total && no_exchange_pays(ideal, numbers, bounds);
    wrong += good ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("ties go to the smaller index", "[apportion]") {
  CHECK(apportion(std::vector{2.5, 2.5, 2.5, 2.5}, 10) == Whole{3, 3, 2, 2});
  CHECK(apportion(std::vector(7, 1.0), 9) == Whole{2, 2, 1, 1, 1, 1, 1});
  const std::vector<Bounds> bounds{{0, 2}, {0, 9}, {0, 9}, {0, 9}};
  CHECK(apportion(std::vector{2.5, 2.5, 2.5, 2.5}, 10, bounds) == Whole{2, 3, 3, 2});
}

TEST_CASE("whole ideals with the right sum stay as they are", "[apportion]") {
  CHECK(apportion(std::vector{3.0, 0.0, 5.0}, 8) == Whole{3, 0, 5});
}

TEST_CASE("an equal distance is added when the ideals miss the total", "[apportion]") {
  CHECK(apportion(std::vector{10.0, 20.0, 30.0}, 360) == Whole{110, 120, 130});
  CHECK(apportion(std::vector{1e6, 0.0}, 10) == Whole{10, 0});
}

TEST_CASE("what bounds withhold is spread over the others", "[apportion]") {
  const std::vector<Bounds> memory{{1, 100}, {1, 60}, {1, 1'000}};
  CHECK(apportion(std::vector{100.0, 100.0, 100.0}, 300, memory) == Whole{100, 60, 140});
  const std::vector<Bounds> at_least_one{{1, 100}, {1, 100}, {1, 100}};
  CHECK(apportion(std::vector{0.0, 0.0, 9.0}, 9, at_least_one) == Whole{1, 1, 7});
}

TEST_CASE("nobody and nothing can be apportioned", "[apportion]") {
  CHECK(apportion(std::vector<double>{}, 0).empty());
  CHECK(apportion(std::vector{0.0, 0.0}, 0) == Whole{0, 0});
  CHECK(apportion(std::vector{5.5}, 7) == Whole{7});
}

TEST_CASE("an apportioning that cannot exist is a broken assumption", "[apportion]") {
  const std::vector<double> ideal{1.0, 1.0};
  const std::vector<Bounds> narrow{{1, 2}, {1, 2}};
  constexpr double infinite = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(apportion(ideal, 1, narrow), BrokenAssumption);
  CHECK_THROWS_AS(apportion(ideal, 5, narrow), BrokenAssumption);
  CHECK_THROWS_AS(apportion(ideal, -1), BrokenAssumption);
  CHECK_THROWS_AS(apportion(std::vector<double>{}, 1), BrokenAssumption);
  CHECK_THROWS_AS(apportion(std::vector{1.0, infinite}, 2), BrokenAssumption);
  CHECK_THROWS_AS(apportion(std::vector{1.0, infinite - infinite}, 2), BrokenAssumption);
  CHECK_THROWS_AS(apportion(ideal, 3, std::vector<Bounds>{{0, 3}}), BrokenAssumption);
  CHECK_THROWS_AS(apportion(ideal, 3, std::vector<Bounds>{{3, 2}, {0, 3}}), BrokenAssumption);
}
