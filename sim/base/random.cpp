#include "sim/base/random.hpp"

#include <bit>
#include <cmath>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebULL;
  return mixed ^ (mixed >> 31U);
}

std::uint64_t hash_text(std::uint64_t seed, std::string_view text) {  // FNV-1a over a mixed seed
  std::uint64_t hash = split_mix(seed) ^ 0xcbf29ce484222325ULL;
  for (const char letter : text) {
    hash ^= static_cast<unsigned char>(letter);
    hash *= 0x100000001b3ULL;
  }
  hash ^= text.size();
  return split_mix(hash);
}

double polynomial(const std::array<double, 8>& coefficients, double x) {
  double sum = 0.0;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) sum = sum * x + *c;
  return sum;
}

// Wichura, "The Percentage Points of the Normal Distribution", Applied Statistics 37 (1988),
// PPND16.
constexpr std::array<double, 8> central_above{3.3871328727963666080e0, 1.3314166789178437745e2,
                                              1.9715909503065514427e3, 1.3731693765509461125e4,
                                              4.5921953931549871457e4, 6.7265770927008700853e4,
                                              3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr std::array<double, 8> central_below{1.0,
                                              4.2313330701600911252e1,
                                              6.8718700749205790830e2,
                                              5.3941960214247511077e3,
                                              2.1213794301586595867e4,
                                              3.9307895800092710610e4,
                                              2.8729085735721942674e4,
                                              5.2264952788528545610e3};
constexpr std::array<double, 8> tail_above{1.42343711074968357734e0,  4.63033784615654529590e0,
                                           5.76949722146069140550e0,  3.64784832476320460504e0,
                                           1.27045825245236838258e0,  2.41780725177450611770e-1,
                                           2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array<double, 8> tail_below{1.0,
                                           2.05319162663775882187e0,
                                           1.67638483018380384940e0,
                                           6.89767334985100004550e-1,
                                           1.48103976427480074590e-1,
                                           1.51986665636164571966e-2,
                                           5.47593808499534494600e-4,
                                           1.05075007164441684324e-9};
constexpr std::array<double, 8> far_above{6.65790464350110377720e0,  5.46378491116411436990e0,
                                          1.78482653991729133580e0,  2.96560571828504891230e-1,
                                          2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                          2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr std::array<double, 8> far_below{1.0,
                                          5.99832206555887937690e-1,
                                          1.36929880922735805310e-1,
                                          1.48753612908506148525e-2,
                                          7.86869131145613259100e-4,
                                          1.84631831751005468180e-5,
                                          1.42151175831644588870e-7,
                                          2.04426310338993978564e-15};

}  // namespace

RandomStream::RandomStream(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = split_mix(seed);
}

std::uint64_t RandomStream::bits() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double RandomStream::uniform() { return (static_cast<double>(bits() >> 12U) + 0.5) * 0x1p-52; }

double RandomStream::normal() { return normal_quantile(uniform()); }

double RandomStream::lognormal(double sigma) { return std::exp(sigma * normal()); }

double RandomStream::exponential(double mean) { return -mean * std::log(uniform()); }

std::int64_t RandomStream::whole(std::int64_t low, std::int64_t high) {
  check(low <= high, "a range of whole numbers is not empty");
  const auto width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  if (width == 0) return static_cast<std::int64_t>(bits());
  // Lemire 2019: multiply, and throw away the few draws that would favour low numbers.
  const std::uint64_t threshold = (0 - width) % width;
  for (;;) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(bits()) * width;
    if (static_cast<std::uint64_t>(product) >= threshold) {
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) +
                                       static_cast<std::uint64_t>(product >> 64U));
    }
  }
}

RandomStream RandomStreams::stream(std::string_view purpose, std::string_view owner) const {
  return RandomStream{hash_text(hash_text(seed_, purpose), owner)};
}

RandomStreams RandomStreams::repeat(std::uint64_t index) const {
  if (index == 0) return *this;
  std::uint64_t state = seed_ ^ std::rotl(index, 32);
  return RandomStreams{split_mix(state)};
}

double normal_quantile(double p) {
  const double centred = p - 0.5;
  if (std::abs(centred) <= 0.425) {
    const double r = 0.180625 - centred * centred;
    return centred * polynomial(central_above, r) / polynomial(central_below, r);
  }
  const double tail = std::sqrt(-std::log(centred < 0.0 ? p : 1.0 - p));
  const double size = tail <= 5.0
                          ? polynomial(tail_above, tail - 1.6) / polynomial(tail_below, tail - 1.6)
                          : polynomial(far_above, tail - 5.0) / polynomial(far_below, tail - 5.0);
  return centred < 0.0 ? -size : size;
}

}  // namespace dbsim
