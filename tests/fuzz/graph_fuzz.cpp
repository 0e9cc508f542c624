// Any text is either a network or a list of problems, and every network can be asked for routes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/io/document.hpp"
#include "sim/scenario/graph_file.hpp"
#include "sim/topology/topology.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  try {
    dbsim::Graph graph = dbsim::read_graph(dbsim::Document::toml(text, "fuzz.toml"));
    if (graph.hosts.size() != graph.network.hosts) __builtin_trap();
    const dbsim::Topology topology{std::move(graph.network)};
    const std::size_t asked = std::min<std::size_t>(topology.hosts(), 20);
    const auto apart = topology.first_apart(asked);
    if (apart && topology.route(apart->first, apart->second)) __builtin_trap();
    for (dbsim::NodeIndex to = 0; !apart && to < asked; ++to) {
      if (!topology.route(0, to, size)) __builtin_trap();
    }
  } catch (const dbsim::InputError& error) {
    if (error.problems().empty()) __builtin_trap();
  }
  return 0;
}
