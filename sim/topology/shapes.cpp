// What all shapes have in common.
#include <fmt/format.h>

#include <functional>
#include <numeric>

#include "sim/topology/shapes.hpp"

namespace dbsim {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

std::size_t product(const std::vector<std::size_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>{});
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string rate(BytesPerSecond bandwidth) {
  return fmt::format("{:.4g} Gbit/s", bandwidth.count() * 8e-9);
}

}  // namespace

Network build(const TopologySpec& spec, std::size_t hosts) {
  return std::visit(
      Overloaded{[&](const SingleSwitch& shape) { return single_switch(shape, hosts); },
                 [](const LeafSpine& shape) { return leaf_spine(shape); },
                 [](const FatTree& shape) { return fat_tree(shape); },
                 [](const Dragonfly& shape) { return dragonfly(shape); },
                 [](const Torus& shape) { return torus(shape); },
                 [&](const GpuNodes& shape) { return gpu_nodes(shape, hosts); },
                 [](const Network& given) { return given; }},
      spec);
}

std::optional<std::size_t> hosts_of(const TopologySpec& spec) {
  using Count = std::optional<std::size_t>;
  return std::visit(
      Overloaded{
          [](const SingleSwitch&) { return Count{}; },
          [](const LeafSpine& shape) { return Count{shape.leaves * shape.hosts}; },
          [](const FatTree& shape) { return Count{shape.k * shape.k * shape.k / 4}; },
          [](const Dragonfly& shape) { return Count{shape.groups * shape.routers * shape.hosts}; },
          [](const Torus& shape) { return Count{product(shape.sizes)}; },
          [](const GpuNodes& shape) {
            const auto* leaves = std::get_if<LeafSpine>(&shape.outside);
            if (leaves == nullptr) return Count{};
            return Count{leaves->leaves * leaves->hosts * shape.gpus};
          },
          [](const Network& given) { return Count{given.hosts}; }},
      spec);
}

std::string to_text(const TopologySpec& spec) {
  return std::visit(
      Overloaded{
          [](const SingleSwitch& shape) {
            return fmt::format("star of {}, {} from host to host", rate(shape.link.bandwidth),
                               to_text(shape.link.latency));
          },
          [](const LeafSpine& shape) {
            return fmt::format("leaf-spine of {} and {}, {} on each leaf at {}",
                               counted(shape.leaves, "leaf", "leaves"),
                               counted(shape.spines, "spine", "spines"),
                               counted(shape.hosts, "host", "hosts"), rate(shape.link.bandwidth));
          },
          [](const FatTree& shape) {
            return fmt::format("fat tree of {}-port switches, {} at {}", shape.k,
                               counted(shape.k * shape.k * shape.k / 4, "host", "hosts"),
                               rate(shape.link.bandwidth));
          },
          [](const Dragonfly& shape) {
            return fmt::format("dragonfly of {} of {}, {} on each router at {}",
                               counted(shape.groups, "group", "groups"),
                               counted(shape.routers, "router", "routers"),
                               counted(shape.hosts, "host", "hosts"), rate(shape.link.bandwidth));
          },
          [](const Torus& shape) {
            return fmt::format("torus of {}, {} at {}", fmt::join(shape.sizes, " x "),
                               counted(product(shape.sizes), "host", "hosts"),
                               rate(shape.link.bandwidth));
          },
          [](const GpuNodes& shape) {
            const std::string outside = std::visit(
                [](const auto& outer) { return to_text(TopologySpec{outer}); }, shape.outside);
            return fmt::format("nodes of {} at {}, outside a {}",
                               counted(shape.gpus, "GPU", "GPUs"), rate(shape.inside.bandwidth),
                               outside);
          },
          [](const Network& given) {
            return fmt::format("graph of {}, {} and {}", counted(given.hosts, "host", "hosts"),
                               counted(given.switches, "switch", "switches"),
                               counted(given.links.size(), "link", "links"));
          }},
      spec);
}

}  // namespace dbsim
