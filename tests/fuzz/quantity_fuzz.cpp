// Any text is either a finite quantity or none.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/io/quantity.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto duration = dbsim::parse_duration(text);
  const auto bandwidth = dbsim::parse_bandwidth(text);
  (void)dbsim::parse_size(text);
  if (duration && !std::isfinite(duration->count())) __builtin_trap();
  if (bandwidth && !std::isfinite(bandwidth->count())) __builtin_trap();
  return 0;
}
