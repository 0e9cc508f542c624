#pragma once
// A point of a run as a person names it: the beginning of an epoch, or a time since the start.
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sim/base/units.hpp"

namespace dbsim {

struct EpochStart {
  std::int64_t epoch{};  // counted from 0
  friend auto operator<=>(const EpochStart&, const EpochStart&) = default;
};
using Moment = std::variant<EpochStart, Seconds>;

inline constexpr std::string_view moment_form =
    "\"epoch 4\" or a time since the start such as \"120 s\"";
inline constexpr std::string_view moment_pattern =
    "^(epoch [0-9]+|[0-9][0-9_]*(\\.[0-9]+)?([eE][+-]?[0-9]+)? ?(ns|us|ms|s|min|h|d))$";

/// "epoch 4" or "120 s"; empty when the text is neither, or is before the start.
[[nodiscard]] std::optional<Moment> parse_moment(std::string_view text);
[[nodiscard]] std::string to_text(const Moment& moment);

}  // namespace dbsim
