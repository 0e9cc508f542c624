#include "sim/base/apportion.hpp"

#include <algorithm>
#include <cmath>
#include <compare>

#include "sim/base/check.hpp"

namespace dbsim {

// The cost is separable and convex, so giving units one at a time to whoever needs the next one
// most is exact (Gross 1956; Ibaraki and Katoh 1988). The unit that raises x_i from k - 1 to k
// changes the cost by 2 (k - ideal_i) - 1: units are ordered by their rank k - ideal_i. All units
// up to a level form an optimum of their own sum, so we jump to a level just below the answer and
// give only the last few units by hand.

namespace {

__extension__ using Wide = __int128;  // sums of many limits

constexpr double countable = 0x1p50;  // below it every sum here still has room to count by one

// k - ideal without rounding error: the rounded difference and what rounding took (Knuth's TwoSum).
struct Rank {
  double rounded;
  double rest;
  friend auto operator<=>(const Rank&, const Rank&) = default;
};

Rank rank_of(std::int64_t unit, double ideal) {
  const auto k = static_cast<double>(unit);
  const double rounded = k - ideal;
  const double ideal_seen = k - rounded;
  const double k_seen = rounded + ideal_seen;
  return {rounded, (k - k_seen) + (ideal_seen - ideal)};
}

struct Share {
  double ideal;
  std::int64_t least;
  std::int64_t most;  // never more than what is left when all others have their least
};

double clamped(const Share& share, double level) {
  return std::clamp(share.ideal + level, static_cast<double>(share.least),
                    static_cast<double>(share.most));
}

std::vector<Share> checked_shares(std::span<const double> ideal, std::int64_t total,
                                  std::span<const Bounds> bounds) {
  check(bounds.empty() || bounds.size() == ideal.size(), "every ideal has its own bounds, or none");
  std::vector<Share> shares;
  shares.reserve(ideal.size());
  Wide sum_of_least = 0;
  for (std::size_t i = 0; i < ideal.size(); ++i) {
    const Bounds own = bounds.empty() ? Bounds{} : bounds[i];
    check(std::abs(ideal[i]) <= countable, "ideals are finite and small enough to count");
    check(own.least <= own.most, "least is not above most");
    check(std::abs(static_cast<double>(own.least)) <= countable, "a least can be counted to");
    shares.push_back({ideal[i], own.least, own.most});
    sum_of_least += own.least;
  }
  const Wide slack = total - sum_of_least;
  check(slack >= 0, "the total covers the least of everybody");
  check(slack <= static_cast<Wide>(countable), "the total can be counted to");
  Wide reachable = sum_of_least;
  for (Share& share : shares) {
    const Wide most = std::min<Wide>(share.most, share.least + slack);
    share.most = static_cast<std::int64_t>(most);
    reachable += most - share.least;
  }
  check(reachable >= total, "the total fits into the most of everybody");
  return shares;
}

struct Reached {
  double sum{};     // of the ideals, all moved by the level and held within their bounds
  double moving{};  // how many of them are not held
};

Reached reached_at(std::span<const Share> shares, double level) {
  Reached reached;
  for (const Share& share : shares) {
    const double moved = share.ideal + level;
    const double held = clamped(share, level);
    reached.sum += held;
    reached.moving += moved == held ? 1.0 : 0.0;
  }
  return reached;
}

// A level at which the moved and held ideals have about the right sum. The sum is piecewise linear
// and rises, so Newton's steps end on the right piece, usually after three to five; every fourth
// step halves the bracket instead, which bounds them by 4 * 52 whatever the bounds.
double level_of(std::span<const Share> shares, double total) {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  double ideals = 0.0;
  for (const Share& share : shares) {
    low = std::min(low, static_cast<double>(share.least) - share.ideal);
    high = std::max(high, static_cast<double>(share.most) - share.ideal);
    ideals += share.ideal;
  }
  double level = (total - ideals) / static_cast<double>(shares.size());
  for (int step = 1; high - low > 1.0; ++step) {
    const Reached reached = reached_at(shares, level);
    const double missing = total - reached.sum;
    if (std::abs(missing) <= 0.5) return level;
    (missing > 0.0 ? low : high) = level;
    level += missing / reached.moving;  // infinite when nobody moves: outside the bracket
    if (step % 4 == 0 || !(level > low && level < high)) level = low + (high - low) / 2.0;
  }
  return low;
}

// All units with rank up to the level, within the bounds.
std::int64_t units_up_to(double level, const Share& share) {
  const Rank limit{level, 0.0};
  auto units = static_cast<std::int64_t>(clamped(share, level));
  while (units > share.least && rank_of(units, share.ideal) > limit) --units;
  while (units < share.most && rank_of(units + 1, share.ideal) <= limit) ++units;
  return units;
}

struct NextUnit {
  Rank rank;
  std::size_t owner;
  friend auto operator<=>(const NextUnit&, const NextUnit&) = default;
};

// Gives `missing` units in the order of their rank. From a level up to one more, no worker has two.
void give(std::vector<std::int64_t>& units, std::span<const Share> shares, double level,
          std::int64_t missing) {
  std::vector<NextUnit> next;
  while (missing > 0) {
    const double reach = std::nextafter(level + 1.0, level);  // never more than one, even rounded
    double nearest = HUGE_VAL;
    next.clear();
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (units[i] == shares[i].most) continue;
      const Rank rank = rank_of(units[i] + 1, shares[i].ideal);
      nearest = std::min(nearest, rank.rounded);
      if (rank <= Rank{reach, 0.0}) next.push_back({rank, i});
    }
    if (missing < std::ssize(next)) {
      std::ranges::nth_element(next, next.begin() + missing);
      next.resize(static_cast<std::size_t>(missing));
    }
    for (const NextUnit& unit : next) ++units[unit.owner];
    missing -= std::ssize(next);
    level = next.empty() ? nearest - 0.5 : reach;
  }
}

}  // namespace

std::vector<std::int64_t> apportion(std::span<const double> ideal, std::int64_t total,
                                    std::span<const Bounds> bounds) {
  const std::vector<Share> shares = checked_shares(ideal, total, bounds);
  std::vector<std::int64_t> units(shares.size());
  if (shares.empty()) return units;
  double level = level_of(shares, static_cast<double>(total));
  Wide sum = 0;
  for (double step = 1.0;; step *= 2.0) {  // a second round only when the level is a little high
    sum = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      units[i] = units_up_to(level, shares[i]);
      sum += units[i];
    }
    if (sum <= total) break;
    level -= step;
  }
  give(units, shares, level, static_cast<std::int64_t>(total - sum));
  return units;
}

}  // namespace dbsim
