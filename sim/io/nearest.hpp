#pragma once
// "did you mean": the known word nearest to a mistyped one.
#include <span>
#include <string>
#include <string_view>

namespace dbsim {

/// The known word with the smallest edit distance (transpositions count one, case ignored), or
/// empty when none is near enough to be a likely slip: more than a third of the longer word, at
/// least one edit, differs.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string_view> known);

}  // namespace dbsim
