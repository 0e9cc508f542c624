// Routes through networks, all to all: items are routes.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>

#include "sim/topology/shapes.hpp"
#include "sim/topology/topology.hpp"

namespace dbsim {

namespace {

constexpr Cable cable{BytesPerSecond{1.25e9}, Seconds{1e-6}};

// Between 512 hosts, spread over all there are. Each time anew, so that the search for distances
// counts.
void all_to_all(benchmark::State& state, const Network& network) {
  constexpr NodeIndex hosts = 512;
  const auto stride = static_cast<NodeIndex>(network.hosts / hosts);
  for ([[maybe_unused]] auto _ : state) {
    const Topology topology{network};
    std::size_t links = 0;
    for (NodeIndex from = 0; from < hosts; ++from) {
      for (NodeIndex to = 0; to < hosts; ++to) {
        links += topology.route(from * stride, to * stride).value().channels.size();
      }
    }
    benchmark::DoNotOptimize(links);
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t{hosts} * hosts);
}

void routes_of_a_fat_tree_of_1024(benchmark::State& state) {
  all_to_all(state, fat_tree({.k = 16, .link = cable}));
}

void routes_of_a_dragonfly_of_1056(benchmark::State& state) {
  all_to_all(state, dragonfly({.groups = 33,
                               .routers = 8,
                               .hosts = 4,
                               .global_links = 4,
                               .link = cable,
                               .global_link = cable}));
}

void routes_of_a_torus_of_1000(benchmark::State& state) {
  all_to_all(state, torus({.sizes = {10, 10, 10}, .link = cable}));
}

BENCHMARK(routes_of_a_fat_tree_of_1024)->Unit(benchmark::kMillisecond);
BENCHMARK(routes_of_a_dragonfly_of_1056)->Unit(benchmark::kMillisecond);
BENCHMARK(routes_of_a_torus_of_1000)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace dbsim
