#include "tests/support/networks.hpp"

#include <algorithm>
#include <utility>

#include "sim/topology/shapes.hpp"

namespace dbsim::test {

namespace {

std::size_t between(RandomStream& random, std::int64_t low, std::int64_t high) {
  return static_cast<std::size_t>(random.whole(low, high));
}

/// A few bandwidths, so that equal ones meet, and any.
Cable draw_cable(RandomStream& random) {
  const double bandwidth =
      random.uniform() < 0.5 ? static_cast<double>(random.whole(1, 4)) : random.lognormal(1.0);
  const Seconds latency{random.uniform() < 0.3 ? 0.0 : 1e-6 * random.uniform()};
  return {BytesPerSecond{1e9 * bandwidth}, latency};
}

Network draw_graph(RandomStream& random) {
  const std::size_t hosts = between(random, 2, 10);
  const std::size_t switches = between(random, 0, 10);
  Network network = nodes(hosts, {{"switch", switches}});
  const auto count = static_cast<std::int64_t>(hosts + switches);
  for (std::int64_t links = random.whole(count, 3 * count); links > 0; --links) {
    const auto from = static_cast<NodeIndex>(random.whole(0, count - 1));
    const auto to = static_cast<NodeIndex>(random.whole(0, count - 1));
    if (from != to) join(network, from, to, draw_cable(random));
  }
  return network;
}

LeafSpine draw_leaf_spine(RandomStream& random) {
  LeafSpine shape{.leaves = between(random, 1, 4),
                  .hosts = between(random, 1, 4),
                  .spines = between(random, 1, 4),
                  .link = draw_cable(random),
                  .ports = between(random, 1, 2),
                  .oversubscription = 1.0 + 3.0 * random.uniform()};
  if (random.uniform() < 0.3) shape.uplink = draw_cable(random).bandwidth;
  return shape;
}

Network draw_torus(RandomStream& random) {
  Torus shape{.sizes = {}, .link = draw_cable(random)};
  for (std::size_t left = between(random, 1, 3); left > 0; --left) {
    shape.sizes.push_back(between(random, 1, 4));
  }
  if (random.uniform() < 0.3) shape.host_bandwidth = draw_cable(random).bandwidth;
  return torus(shape);
}

Network draw_dragonfly(RandomStream& random) {
  const std::size_t routers = between(random, 1, 4);
  const std::size_t global_links = between(random, 1, 2);
  const auto most = static_cast<std::int64_t>(std::min<std::size_t>(routers * global_links + 1, 5));
  return dragonfly({.groups = between(random, 1, most),
                    .routers = routers,
                    .hosts = between(random, 1, 2),
                    .global_links = global_links,
                    .link = draw_cable(random),
                    .global_link = draw_cable(random)});
}

Network draw_nodes(RandomStream& random) {
  GpuNodes shape{
      .gpus = between(random, 1, 4), .inside = draw_cable(random), .outside = SingleSwitch{}};
  if (random.uniform() < 0.5) {
    shape.outside = draw_leaf_spine(random);
  } else {
    shape.outside = SingleSwitch{.link = draw_cable(random), .ports = between(random, 1, 3)};
  }
  return gpu_nodes(shape, between(random, 1, 12));
}

DrawnNetwork draw_shape(RandomStream& random) {
  switch (random.whole(0, 6)) {
    case 0:
      return {"star", star(between(random, 2, 12), draw_cable(random).bandwidth, Seconds{2e-6})};
    case 1:
      return {"leaf-spine", leaf_spine(draw_leaf_spine(random))};
    case 2:
      return {"fat tree", fat_tree({.k = 2 * between(random, 1, 2),
                                    .link = draw_cable(random),
                                    .oversubscription = 1.0 + 3.0 * random.uniform()})};
    case 3:
      return {"dragonfly", draw_dragonfly(random)};
    case 4:
      return {"torus", draw_torus(random)};
    case 5:
      return {"nodes", draw_nodes(random)};
    default:
      return {"graph", draw_graph(random)};
  }
}

}  // namespace

DrawnNetwork draw_network(RandomStream& random) {
  DrawnNetwork drawn = draw_shape(random);
  Network& network = drawn.network;
  const bool unequal = random.uniform() < 0.3;
  const bool some_shared = random.uniform() < 0.2;
  for (Link& link : network.links) {
    if (unequal) link.bandwidth = draw_cable(random).bandwidth;
    if (some_shared && random.uniform() < 0.5) link.duplex = Duplex::shared;
  }
  if (random.uniform() < 0.2) {
    for (NodeIndex host = 0; host < network.hosts; ++host) {
      if (random.uniform() < 0.5) network.caps.push_back({host, draw_cable(random).bandwidth});
    }
  }
  return drawn;
}

}  // namespace dbsim::test
