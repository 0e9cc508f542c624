#include "sim/base/units.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace dbsim {

std::string to_text(Seconds duration) {
  const double seconds = duration.count();
  const double size = std::abs(seconds);
  if (size == 0.0) return "0 s";
  if (!(size < 1e15)) return fmt::format("{:.4g} s", seconds);  // also what is not a number
  if (size < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (size < 1e-3) return fmt::format("{:.4g} us", seconds * 1e6);
  if (size < 1.0) return fmt::format("{:.4g} ms", seconds * 1e3);
  if (size < 120.0) return fmt::format("{:.4g} s", seconds);
  const auto minutes = static_cast<long long>(std::floor(size / 60.0));
  const char* sign = seconds < 0.0 ? "-" : "";
  if (size < 3600.0) {
    return fmt::format("{}{} min {:02} s", sign, minutes,
                       static_cast<long long>(std::floor(size)) - 60 * minutes);
  }
  return fmt::format("{}{} h {:02} min", sign, minutes / 60, minutes % 60);
}

std::string to_text(Bytes size) {
  constexpr std::array<std::string_view, 5> units{"B", "kB", "MB", "GB", "TB"};
  double value = size.count();
  std::size_t unit = 0;
  while (std::abs(value) >= 1000.0 && unit + 1 < units.size()) {
    value /= 1000.0;
    ++unit;
  }
  return fmt::format("{:.4g} {}", value, units[unit]);
}

}  // namespace dbsim
