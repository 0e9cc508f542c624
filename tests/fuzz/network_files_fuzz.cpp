// Any text is delays, a profile of bandwidths, a trace of flows, or a list of problems.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/scenario/network_files.hpp"
#include "sim/scenario/row_file.hpp"

namespace {

std::optional<dbsim::FlowEnds> ends_of(const dbsim::RowCell& from, const dbsim::RowCell& to,
                                       std::vector<dbsim::Problem>& problems) {
  if (from.text != to.text) return dbsim::FlowEnds{0, 1};
  problems.push_back({from.where, {}, "twice the same host", "two hosts", {}});
  return std::nullopt;
}

template <class Read>
void try_to(const Read& read) {
  try {
    read();
  } catch (const dbsim::InputError& error) {
    if (error.problems().empty()) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  try_to([&] {
    if (dbsim::read_delays(text, "fuzz.csv").empty()) __builtin_trap();
  });
  try_to([&] {
    const auto profile = dbsim::read_bandwidth_profile(text, "fuzz.csv", std::nullopt);
    if (!std::ranges::is_sorted(profile.lines, {}, &dbsim::BandwidthAt::at)) __builtin_trap();
    if (profile.lines.back().bandwidth.count() <= 0.0) __builtin_trap();
  });
  try_to([&] {
    const auto trace = dbsim::read_traffic_trace(text, "fuzz.csv", ends_of);
    if (!std::ranges::is_sorted(trace.flows, {}, &dbsim::TracedFlow::start)) __builtin_trap();
  });
  return 0;
}
