// Any text is either a file of cases, whose flows finish or never do, or a list of problems.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/flows/flow_cases.hpp"
#include "sim/flows/flow_results.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  try {
    const dbsim::FlowCases file = dbsim::parse_flow_cases(text, "fuzz.json");
    for (const dbsim::FlowCase& one : file.cases) {
      if (dbsim::solve(one).flows.size() != one.names.size()) __builtin_trap();
    }
  } catch (const dbsim::InputError& error) {
    if (error.problems().empty()) __builtin_trap();
  }
  return 0;
}
