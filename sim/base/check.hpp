#pragma once
// Our own broken assumptions: checked in every build, never used for what a user typed.
#include <stdexcept>
#include <string_view>

namespace dbsim {

struct SourceLine {  // std::source_location for compilers that lack it
  const char* file;
  int line;
  static constexpr SourceLine current(const char* file = __builtin_FILE(),
                                      int line = __builtin_LINE()) {
    return {file, line};
  }
};

struct BrokenAssumption : std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_check(std::string_view claim, SourceLine where);

/// Throws BrokenAssumption, naming the claim and its place, unless the claim holds.
inline void check(bool holds, std::string_view claim, SourceLine where = SourceLine::current()) {
  if (!holds) [[unlikely]] {
    fail_check(claim, where);
  }
}

}  // namespace dbsim
