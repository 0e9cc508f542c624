#pragma once
// TOML that toml++ 3.3 does not refuse in good order, found before it gets to see it.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace dbsim {

struct TomlTrap {
  std::size_t offset{};
  std::string found;
  std::string expected;
};

/// The first place of one of these kinds:
/// - nesting beyond `deepest_nesting`: dotted keys nest without a bound, and tearing such a tree
///   down would exhaust the stack;
/// - a header whose key begins with no letter of a key, or a list closed by a brace: toml++ assumes
///   that neither occurs;
/// - letters beyond ASCII outside strings and comments, or right after a backslash (blanks and line
///   ends aside) in a string of several lines: toml++ runs into code that it calls unreachable.
///   Only the last is lawful TOML.
[[nodiscard]] std::optional<TomlTrap> first_trap(std::string_view text);

}  // namespace dbsim
