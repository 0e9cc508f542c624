#include "sim/model/standings.hpp"

#include <algorithm>
#include <array>
#include <bit>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace dbsim {

namespace {

constexpr std::size_t word_bits = 64;

std::size_t words_for(std::size_t bits) { return bits / word_bits + 1; }

// What the processor does fastest; the results are the same.
struct Kernels {
  bool (*tell)(const std::uint64_t* channels, std::size_t words, LevelChange change, double* taken,
               double* highest, const double* level);
  Above (*above)(const std::uint64_t* channels, const std::uint64_t* except, std::size_t words,
                 double bound, const double* level);
};

bool tell_bits(const std::uint64_t* channels, std::size_t words, LevelChange change, double* taken,
               double* highest, const double* level) {
  const double by = change.to - change.from;
  bool bounded = false;
  for (std::size_t word = 0; word < words; ++word) {
    for (std::uint64_t bits = channels[word]; bits != 0; bits &= bits - 1) {
      const std::size_t i = word * word_bits + static_cast<std::size_t>(std::countr_zero(bits));
      taken[i] += by;
      highest[i] = highest[i] < change.to ? change.to : highest[i];
      bounded |= level[i] < change.bound;
    }
  }
  return bounded;
}

Above above_bits(const std::uint64_t* channels, const std::uint64_t* except, std::size_t words,
                 double bound, const double* level) {
  Above result{.any = false, .highest = 0.0};
  for (std::size_t word = 0; word < words; ++word) {
    for (std::uint64_t bits = channels[word] & ~except[word]; bits != 0; bits &= bits - 1) {
      const double one = level[word * word_bits + static_cast<std::size_t>(std::countr_zero(bits))];
      const bool higher = one > bound;
      result.any |= higher;
      result.highest = !higher && one > result.highest ? one : result.highest;
    }
  }
  return result;
}

#ifdef __x86_64__

// Eight channels at a time.
constexpr std::size_t lanes = 8;

[[gnu::target("avx512f")]] bool tell_eight(const std::uint64_t* channels, std::size_t words,
                                           LevelChange change, double* taken, double* highest,
                                           const double* level) {
  const __m512d by = _mm512_set1_pd(change.to - change.from);
  const __m512d to = _mm512_set1_pd(change.to);
  const __m512d bound = _mm512_set1_pd(change.bound);
  unsigned bounded = 0;
  for (std::size_t word = 0; word < words; ++word) {
    std::size_t i = word * word_bits;
    for (std::uint64_t bits = channels[word]; bits != 0; bits >>= lanes, i += lanes) {
      const auto told = static_cast<__mmask8>(bits);
      const __m512d sums = _mm512_loadu_pd(taken + i);
      const __m512d highs = _mm512_loadu_pd(highest + i);
      _mm512_storeu_pd(taken + i, _mm512_mask_add_pd(sums, told, sums, by));
      _mm512_storeu_pd(highest + i, _mm512_mask_max_pd(highs, told, highs, to));
      bounded |= _mm512_mask_cmp_pd_mask(told, _mm512_loadu_pd(level + i), bound, _CMP_LT_OQ);
    }
  }
  return bounded != 0;
}

[[gnu::target("avx512f")]] Above above_eight(const std::uint64_t* channels,
                                             const std::uint64_t* except, std::size_t words,
                                             double bound_of_all, const double* level) {
  const __m512d bound = _mm512_set1_pd(bound_of_all);
  __m512d highest = _mm512_setzero_pd();
  unsigned any = 0;
  for (std::size_t word = 0; word < words; ++word) {
    std::size_t i = word * word_bits;
    for (std::uint64_t bits = channels[word] & ~except[word]; bits != 0; bits >>= lanes) {
      const auto asked = static_cast<__mmask8>(bits);
      const __m512d levels = _mm512_loadu_pd(level + i);
      const __mmask8 higher = _mm512_mask_cmp_pd_mask(asked, levels, bound, _CMP_GT_OQ);
      any |= higher;
      highest =
          _mm512_mask_max_pd(highest, static_cast<__mmask8>(asked & ~higher), highest, levels);
      i += lanes;
    }
  }
  std::array<double, lanes> each{};
  _mm512_storeu_pd(each.data(), highest);
  return {.any = any != 0, .highest = std::ranges::max(each)};
}

Kernels chosen() {
  if (__builtin_cpu_supports("avx512f") != 0) return {tell_eight, above_eight};
  return {tell_bits, above_bits};
}

#else

Kernels chosen() { return {tell_bits, above_bits}; }

#endif

const Kernels kernels = chosen();

}  // namespace

Standings::Standings(std::size_t groups)
    : level(words_for(groups) * word_bits, std::numeric_limits<double>::infinity()),
      taken(level.size()),
      highest(level.size()),
      looks(level.size()),
      live_(words_for(groups)),
      marked_(words_for(groups)),
      unaware_(words_for(groups)) {}

bool tell(std::span<const std::uint64_t> channels, const LevelChange& change,
          Standings& standings) {
  return kernels.tell(channels.data(), channels.size(), change, standings.taken.data(),
                      standings.highest.data(), standings.level.data());
}

Above above(std::span<const std::uint64_t> channels, std::span<const std::uint64_t> except,
            double bound, const Standings& standings) {
  return kernels.above(channels.data(), except.data(), channels.size(), bound,
                       standings.level.data());
}

}  // namespace dbsim
