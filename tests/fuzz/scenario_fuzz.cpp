// Any text is either a scenario or a list of problems: nothing else is thrown, nothing is read out
// of bounds.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "policies/catalog.hpp"
#include "sim/base/error.hpp"
#include "sim/io/document.hpp"
#include "sim/scenario/load.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  try {
    (void)dbsim::load_scenario(dbsim::Document::toml(text, "fuzz.toml"), dbsim::catalog());
  } catch (const dbsim::InputError& error) {
    // A problem without words would leave the user alone.
    if (error.problems().empty()) __builtin_trap();
    for (const dbsim::Problem& problem : error.problems())
      if (dbsim::to_text(problem).empty()) __builtin_trap();
  }
  return 0;
}
