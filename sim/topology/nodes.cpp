#include <fmt/format.h>

#include <utility>

#include "sim/base/check.hpp"
#include "sim/topology/shapes.hpp"

namespace dbsim {

// The outer network's hosts become the switches of the nodes; all its nodes move behind the GPUs.
Network gpu_nodes(const GpuNodes& shape, std::size_t hosts) {
  check(shape.gpus >= 1, "a node has a GPU");
  const auto* star_outside = std::get_if<SingleSwitch>(&shape.outside);
  Network outer = star_outside != nullptr
                      ? single_switch(*star_outside, (hosts + shape.gpus - 1) / shape.gpus)
                      : leaf_spine(std::get<LeafSpine>(shape.outside));
  const std::size_t gpus = outer.hosts * shape.gpus;
  const auto first_switch = static_cast<NodeIndex>(gpus);
  Network network{
      .hosts = gpus, .switches = outer.hosts + outer.switches, .links = {}, .routes = {}};
  for (NodeIndex gpu = 0; gpu < first_switch; ++gpu) {
    const auto node = static_cast<NodeIndex>(gpu / shape.gpus);
    network.names.push_back(fmt::format("node/{}/gpu/{}", node, gpu % shape.gpus));
    join(network, gpu, first_switch + node, shape.inside);
  }
  for (std::size_t node = 0; node < outer.hosts; ++node)
    outer.names[node] = fmt::format("node/{}", node);
  network.names.insert(network.names.end(), outer.names.begin(), outer.names.end());
  for (Link link : outer.links) {
    link.from += first_switch;
    link.to += first_switch;
    network.links.push_back(link);
  }
  return network;
}

}  // namespace dbsim
