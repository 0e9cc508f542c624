// Any text is either a table, whose every step takes some time, or a list of problems.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/import/csv_steps.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  try {
    for (const dbsim::ProfilePoint& point :
         dbsim::to_points(dbsim::parse_csv_steps(text, "fuzz.csv"))) {
      if (!(point.step.median > 0.0) || point.batch < dbsim::Samples{1}) __builtin_trap();
    }
  } catch (const dbsim::InputError& error) {
    if (error.problems().empty()) __builtin_trap();
  }
  return 0;
}
