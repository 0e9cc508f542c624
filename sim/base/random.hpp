#pragma once
// Randomness with names: a stream depends on the seed, its purpose and its owner, and on nothing
// else.
#include <array>
#include <cstdint>
#include <string_view>

namespace dbsim {

/// xoshiro256++ (Blackman and Vigna 2019), seeded through SplitMix64. A plain value: a copy repeats
/// its draws.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed);
  /// 64 independent bits.
  std::uint64_t bits();
  /// Uniform in the open interval (0, 1).
  double uniform();
  /// Standard normal, by inversion (Wichura 1988, AS 241), so that one draw costs one `bits()`.
  double normal();
  /// exp(sigma * normal()): median 1.
  double lognormal(double sigma);
  /// Exponential with the given mean.
  double exponential(double mean);
  /// Uniform whole number in [low, high].
  std::int64_t whole(std::int64_t low, std::int64_t high);
  friend bool operator==(const RandomStream&, const RandomStream&) = default;

 private:
  std::array<std::uint64_t, 4> state_{};
};

/// All streams of one run. Adding a worker, a policy or a purpose moves no draw of any other
/// stream.
class RandomStreams {
 public:
  explicit RandomStreams(std::uint64_t seed) : seed_{seed} {}
  [[nodiscard]] RandomStream stream(std::string_view purpose, std::string_view owner = {}) const;
  /// The streams of repeat `index` of the same run; index 0 is this one.
  [[nodiscard]] RandomStreams repeat(std::uint64_t index) const;

 private:
  std::uint64_t seed_;
};

/// Quantile of the standard normal distribution, 0 < p < 1, relative error about 1e-16 (AS 241).
[[nodiscard]] double normal_quantile(double p);

}  // namespace dbsim
