#include "calib/network/payload.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/check.hpp"

namespace dbsim::calib {

float payload_value(int rank, std::size_t index) {
  // SplitMix64's finaliser (Steele, Lea and Flood 2014) over both numbers.
  std::uint64_t bits = (static_cast<std::uint64_t>(rank) << 32U) + index + 1;
  bits *= 0x9E3779B97F4A7C15U;
  bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
  bits ^= bits >> 31U;
  constexpr unsigned drop = 40;  // 24 bits are what a float holds
  return 0.5F + static_cast<float>(bits >> drop) * 0x1p-24F;
}

std::vector<float> payload(int rank, std::size_t count) {
  check(count <= payload_block, "a payload repeats after a block");
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = payload_value(rank, i);
  return values;
}

bool are_payload_sums(std::span<const float> sums, int ranks) {
  constexpr std::size_t places = 1009;  // a prime: no stride meets the same chunk edges each time
  const std::size_t stride = std::max<std::size_t>(1, sums.size() / places);
  // Each of the additions rounds by at most half an epsilon of the sum.
  const double tolerance = static_cast<double>(ranks) * std::numeric_limits<float>::epsilon();
  const auto is_right = [&](std::size_t index) {
    double sum = 0.0;
    for (int rank = 0; rank < ranks; ++rank) {
      sum += static_cast<double>(payload_value(rank, index % payload_block));
    }
    return std::abs(static_cast<double>(sums[index]) - sum) <= tolerance * sum;
  };
  for (std::size_t index = 0; index < sums.size(); index += stride) {
    if (!is_right(index)) return false;
  }
  return sums.empty() || is_right(sums.size() - 1);
}

}  // namespace dbsim::calib
