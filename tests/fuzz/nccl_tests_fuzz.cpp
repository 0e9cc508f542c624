// Any text is either a run, which is a network or says why it is none, or a list of problems.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/import/nccl_network.hpp"
#include "sim/import/nccl_tests.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const std::string name = "fuzz.txt";
  try {
    const dbsim::NcclTests tests = dbsim::parse_nccl_tests(text, name);
    if (tests.rows.empty()) __builtin_trap();
    const dbsim::NetworkDocument network = dbsim::to_network(tests, {}, name);
    if (network.ranks() < 2 || network.points.size() < 2 || !network.fit) __builtin_trap();
    for (const dbsim::NetworkPoint& point : network.points) {
      if (!(network.fit->time(point.bytes) > dbsim::Seconds{0.0})) __builtin_trap();
    }
    (void)dbsim::parse_network_document(dbsim::to_json(network), "again.json");
  } catch (const dbsim::InputError& error) {
    if (error.problems().empty()) __builtin_trap();
  }
  return 0;
}
