#pragma once
// What tests of files draw at random.
#include <cstdint>
#include <string>

#include "sim/base/random.hpp"

namespace dbsim::test {

inline bool coin(RandomStream& draws) { return draws.uniform() < 0.5; }

/// Short, often empty, of characters that a writer must take care with.
inline std::string some_text(RandomStream& draws) {
  const std::string alphabet = "ab \"\\/\n\t\x01{}[],:0";
  std::string text;
  for (std::int64_t left = draws.whole(0, 12); left > 0; --left) {
    text += alphabet[static_cast<std::size_t>(
        draws.whole(0, static_cast<std::int64_t>(alphabet.size()) - 1))];
  }
  return coin(draws) ? text : text + "\xc3\xa9";
}

}  // namespace dbsim::test
