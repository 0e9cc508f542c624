// Any text is either a profile, whose curve then gives a time for every batch, or a list of
// problems.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/io/document.hpp"
#include "sim/profile/profile_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  try {
    const auto document = dbsim::Document::json(text, "fuzz.json");
    dbsim::ProfileDraft draft;
    std::vector<dbsim::Problem> problems;
    document.read([&](dbsim::Fields& fields) { dbsim::describe_profile_file(fields, draft); },
                  problems);
    if (problems.empty()) (void)dbsim::finish(std::move(draft));
  } catch (const dbsim::InputError& error) {
    if (error.problems().empty()) __builtin_trap();
  }
  return 0;
}
