// Any text is either a profile, which can be written and read again, or a list of
// problems.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/profile/profile_document.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  try {
    const auto document = dbsim::parse_profile_document(text, "fuzz.json");
    if (dbsim::parse_profile_document(dbsim::to_json(document), "again.json") != document)
      __builtin_trap();
    (void)dbsim::to_profile(document);
  } catch (const dbsim::InputError& error) {
    if (error.problems().empty()) __builtin_trap();
  }
  return 0;
}
