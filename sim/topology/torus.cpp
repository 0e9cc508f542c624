#include <functional>
#include <numeric>

#include "sim/base/check.hpp"
#include "sim/topology/shapes.hpp"

namespace dbsim {

namespace {

std::size_t links_of_node(const Torus& shape) {
  std::size_t links = 0;
  for (const std::size_t size : shape.sizes) links += std::min<std::size_t>(size - 1, 2);
  return links;
}

}  // namespace

Network torus(const Torus& shape) {
  for (const std::size_t size : shape.sizes) check(size >= 1, "a dimension has a node");
  const std::size_t count =
      std::accumulate(shape.sizes.begin(), shape.sizes.end(), std::size_t{1}, std::multiplies<>{});
  Network network = nodes(count, {{"switch", count}});
  const auto hosts = static_cast<NodeIndex>(count);
  const double together = shape.link.bandwidth.count() *
                          static_cast<double>(std::max<std::size_t>(links_of_node(shape), 1));
  const Cable host_link{shape.host_bandwidth.value_or(BytesPerSecond{together}), Seconds{}};
  for (NodeIndex host = 0; host < hosts; ++host) join(network, host, hosts + host, host_link);
  std::size_t stride = 1;
  for (const std::size_t size : shape.sizes) {
    for (std::size_t node = 0; node < count; ++node) {
      const std::size_t place = node / stride % size;
      const bool closes = place + 1 == size;
      if (size == 1 || (size == 2 && closes)) continue;
      const std::size_t next = closes ? node - place * stride : node + stride;
      join(network, hosts + static_cast<NodeIndex>(node), hosts + static_cast<NodeIndex>(next),
           shape.link);
    }
    stride *= size;
  }
  return network;
}

}  // namespace dbsim
