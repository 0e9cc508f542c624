// Any text is either a network file, which can be written and read again and fitted anew, or a list
// of problems.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/network/network_document.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  try {
    const auto document = dbsim::parse_network_document(text, "fuzz.json");
    if (dbsim::parse_network_document(dbsim::to_json(document), "again.json") != document) {
      __builtin_trap();
    }
    if (document.points.size() >= 2) (void)dbsim::fit_network(document);
  } catch (const dbsim::InputError& error) {
    if (error.problems().empty()) __builtin_trap();
  }
  return 0;
}
