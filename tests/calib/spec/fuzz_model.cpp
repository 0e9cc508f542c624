// Any text is either a model, whose costs can then be counted, or a list of problems.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "calib/spec/model_file.hpp"
#include "sim/base/error.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  try {
    const auto model = dbsim::calib::parse_model(text, "fuzz.toml");
    if (model.parameter_count() < 0 || model.forward_multiply_adds() < 0.0) __builtin_trap();
  } catch (const dbsim::InputError& error) {
    if (error.problems().empty()) __builtin_trap();
  }
  return 0;
}
