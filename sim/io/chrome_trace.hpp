#pragma once
// Chrome traces as PyTorch's profiler writes them, read event by event: such files are large and
// hold far more than anybody asks for.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sim/base/units.hpp"

namespace dbsim {

/// A complete event ("ph": "X"). What the file does not say is empty.
struct TraceEvent {
  std::string name;
  std::string category;
  double start_us{};
  double duration_us{};
  std::optional<std::int64_t> correlation{};     // joins a kernel and the call that launched it
  std::optional<std::int64_t> external_id{};     // joins a kernel and the operator it belongs to
  std::optional<std::int64_t> elements{};        // of a collective's message
  std::string element_type{};                    // "Float", "c10::Half", ...
  std::optional<std::int64_t> input_elements{};  // of an operator's inputs together
  std::string input_type{};                      // of the first of them
};

/// The first device that the trace names.
struct TraceDevice {
  std::string name;  // empty when none is named
  std::optional<Bytes> memory;
};

/// Calls `take` for every complete event, in the order of the file. InputError when the file cannot
/// be read or is no JSON.
TraceDevice read_chrome_trace(const std::string& path,
                              const std::function<void(const TraceEvent&)>& take);

}  // namespace dbsim
