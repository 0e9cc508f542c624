#pragma once
// What a TOML file says of itself: the comment it opens with.
#include <string>
#include <string_view>

namespace dbsim {

/// The first sentence of the comment that the text opens with, as one line; empty without one.
[[nodiscard]] std::string opening_sentence(std::string_view text);

}  // namespace dbsim
