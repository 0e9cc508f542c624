#include "sim/model/standings.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

constexpr std::size_t channels = 150;  // two whole words and a part of one

std::vector<std::uint64_t> some_bits(RandomStream& random) {
  const double density = random.uniform();
  std::vector<std::uint64_t> bits(channels / 64 + 1);
  for (std::size_t i = 0; i < channels; ++i) {
    if (random.uniform() < density) bits[i / 64] |= std::uint64_t{1} << i % 64;
  }
  return bits;
}

bool has(const std::vector<std::uint64_t>& bits, std::size_t i) {
  return (bits[i / 64] >> i % 64 & 1U) != 0;
}

Standings some_standings(RandomStream& random) {
  Standings standings{channels};
  for (std::size_t i = 0; i < channels; ++i) {
    if (random.uniform() < 0.9) standings.level[i] = random.uniform();
    standings.taken[i] = random.uniform();
    standings.highest[i] = random.uniform();
  }
  return standings;
}

}  // namespace

TEST_CASE("telling a row is telling each of its channels, to the last bit", "[standings]") {
  RandomStream random = RandomStreams{71}.stream("standings", "tell");
  for (int round = 0; round < 500; ++round) {
    Standings standings = some_standings(random);
    const Standings before = standings;
    const std::vector<std::uint64_t> bits = some_bits(random);
    const LevelChange change{
        .from = random.uniform(), .to = random.uniform(), .bound = random.uniform() / 50.0};
    const bool bounded = tell(bits, change, standings);
    bool right_bounded = false;
    bool right = standings.level == before.level;
    for (std::size_t i = 0; i < before.level.size(); ++i) {
      const bool told = i < channels && has(bits, i);
      right_bounded |= told && before.level[i] < change.bound;
      right &= standings.taken[i] ==
               (told ? before.taken[i] + (change.to - change.from) : before.taken[i]);
      right &= standings.highest[i] ==
               (told ? std::max(before.highest[i], change.to) : before.highest[i]);
    }
    if (!right || bounded != right_bounded) CHECK(right);
    if (bounded != right_bounded) CHECK(bounded == right_bounded);
  }
}

TEST_CASE("levels above a bound are found in a row, and the highest of the others", "[standings]") {
  RandomStream random = RandomStreams{72}.stream("standings", "above");
  for (int round = 0; round < 500; ++round) {
    const Standings standings = some_standings(random);
    const std::vector<std::uint64_t> bits = some_bits(random);
    const std::vector<std::uint64_t> except = some_bits(random);
    const double bound = random.uniform();
    const Above found = above(bits, except, bound, standings);
    bool any = false;
    double highest = 0.0;
    for (std::size_t i = 0; i < channels; ++i) {
      if (!has(bits, i) || has(except, i)) continue;
      any |= standings.level[i] > bound;
      if (standings.level[i] <= bound) highest = std::max(highest, standings.level[i]);
    }
    if (found.any != any || found.highest != highest) CHECK(found.highest == highest);
    if (found.any != any) CHECK(found.any == any);
  }
}

TEST_CASE("a channel is unaware while it is live and not marked", "[standings]") {
  Standings standings{channels};
  CHECK_FALSE(standings.unaware(130));
  standings.set_live(130, true);
  CHECK(standings.unaware(130));
  CHECK_FALSE(standings.unaware(129));
  standings.set_marked(130, true);
  CHECK_FALSE(standings.unaware(130));
  standings.set_marked(130, false);
  CHECK(standings.unaware(130));
  standings.set_live(130, false);
  CHECK_FALSE(standings.unaware(130));
}
