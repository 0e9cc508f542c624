#pragma once
// Text with a number and a unit: "25 us", "10 Gbit/s", "44.7 MB".
#include <optional>
#include <string_view>

#include "sim/base/units.hpp"

namespace dbsim {

inline constexpr std::string_view duration_units = "ns, us, ms, s, min, h, d";
inline constexpr std::string_view size_units = "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB";
inline constexpr std::string_view bandwidth_units =
    "bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s, B/s, kB/s, MB/s, GB/s, KiB/s, MiB/s, GiB/s";

/// Empty when the text is not a finite number, one space or none, and a known unit. Underscores may
/// group digits.
[[nodiscard]] std::optional<Seconds> parse_duration(std::string_view text);
[[nodiscard]] std::optional<Bytes> parse_size(std::string_view text);
[[nodiscard]] std::optional<BytesPerSecond> parse_bandwidth(std::string_view text);

}  // namespace dbsim
