#pragma once
// A seed that nobody has tried: properties are told of what they have not yet seen. A failure says
// it, and DBSIM_TEST_SEED repeats it.
#include <cstdint>
#include <cstdlib>
#include <random>

namespace dbsim::test {

inline std::uint64_t fresh_seed() {
  static const std::uint64_t seed = [] {
    const char* given = std::getenv("DBSIM_TEST_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10)
                            : std::uint64_t{std::random_device{}()};
  }();
  return seed;
}

}  // namespace dbsim::test
