#pragma once
// Text and numbers as SVG needs them.
#include <string>
#include <string_view>
#include <vector>

namespace dbsim {

/// Fit to stand between tags and in attributes. What XML cannot hold becomes U+FFFD.
[[nodiscard]] std::string escaped(std::string_view text);
/// A hundredth of a pixel is enough: "12.5", "-0.25", "3".
[[nodiscard]] std::string pixels(double value);
/// Roughly how wide the text is in a usual sans-serif, rather too much than too little.
[[nodiscard]] double text_width(std::string_view text, double font_size);
/// Broken at spaces into lines of at most this width; a longer word is a line of its own, cut.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, double width,
                                               double font_size);
/// Cut off with an ellipsis where it is wider.
[[nodiscard]] std::string cut(std::string_view text, double width, double font_size);

}  // namespace dbsim
