#include "sim/scenario/describe_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "sim/scenario/network_limits.hpp"

namespace dbsim {

namespace {

constexpr NumberRange oversubscription_range{.least = 1.0, .most = 1'000'000.0};

void count(Fields& fields, const Key& key, const WholeRange& range, std::size_t& value) {
  auto read = static_cast<std::int64_t>(value);
  fields.whole(key, range, read);
  value = static_cast<std::size_t>(read);
}

void describe_cable(Fields& fields, std::string_view of_what, std::string_view latency_of_what,
                    Cable& cable) {
  fields.bandwidth({"bandwidth", of_what, Need::required}, positive, cable.bandwidth);
  fields.duration({"latency", latency_of_what}, latency_range, cable.latency);
}

// Sizes that multiply to more than memory holds are slips.
void check_size(Fields& fields, double hosts, double links) {
  if (hosts > most_hosts) {
    fields.problem({}, fmt::format("{:.4g} hosts", hosts), fmt::format("at most {}", most_hosts));
  } else if (links > most_links) {
    fields.problem({}, fmt::format("{:.4g} links", links), fmt::format("at most {}", most_links));
  }
}

void describe_star(Fields& fields, std::string_view latency_of_what, SingleSwitch& shape) {
  describe_cable(fields, "Of each link, in each direction.", latency_of_what, shape.link);
}

// `hosts` is the key that says how many of them hang on each leaf.
void describe_leaf_spine(Fields& fields, const Key& hosts_key, LeafSpine& shape) {
  count(fields, {"leaves", "Switches of the lower level.", Need::required}, size_range,
        shape.leaves);
  count(fields, hosts_key, size_range, shape.hosts);
  count(fields,
        {"spines", "Switches of the upper level; each leaf has an uplink to each.", Need::required},
        size_range, shape.spines);
  describe_cable(fields, "Of each link below a leaf, in each direction.",
                 "Of each link, uplinks too; 0 if left out.", shape.link);
  fields.number({"oversubscription",
                 "What the links below a leaf carry over what its uplinks carry; 1 if left out."},
                oversubscription_range, shape.oversubscription);
  BytesPerSecond uplink;
  fields.bandwidth({"uplink", "Or the bandwidth of each uplink."}, positive, uplink);
  if (uplink.count() > 0.0) shape.uplink = uplink;
  constexpr std::array<std::string_view, 2> ways{"oversubscription", "uplink"};
  fields.one_of(ways, Need::optional);
  const auto leaves = static_cast<double>(shape.leaves);
  const double hosts = leaves * static_cast<double>(shape.hosts);
  check_size(fields, hosts,
             hosts * static_cast<double>(shape.ports) + leaves * static_cast<double>(shape.spines));
}

void describe_fat_tree(Fields& fields, FatTree& shape) {
  count(fields, {"k", "Ports of each switch, even: k * k * k / 4 hosts.", Need::required},
        {.least = 2, .most = 128}, shape.k);
  if (shape.k % 2 != 0) fields.problem("k", fmt::format("{}", shape.k), "an even number");
  describe_cable(fields, "Of each link of a host, in each direction.",
                 "Of each link; 0 if left out.", shape.link);
  fields.number({"oversubscription",
                 "Bandwidth of a host's link over that of each link further up; 1 if left out."},
                oversubscription_range, shape.oversubscription);
}

void describe_dragonfly(Fields& fields, Dragonfly& shape) {
  count(fields, {"groups", "Groups of routers.", Need::required}, size_range, shape.groups);
  count(fields, {"routers", "Routers of each group, all joined to each other.", Need::required},
        size_range, shape.routers);
  count(fields, {"hosts", "Hosts on each router.", Need::required}, size_range, shape.hosts);
  const std::size_t least =
      std::max<std::size_t>(1, (shape.groups - 1 + shape.routers - 1) / shape.routers);
  shape.global_links = least;
  count(fields,
        {"global_links",
         "Links of each router to other groups, every pair of which has the same number of them; "
         "the least that joins all groups if left out."},
        size_range, shape.global_links);
  if (shape.global_links < least) {
    fields.problem("global_links", fmt::format("{}", shape.global_links),
                   fmt::format("at least {}, to join {} groups of {} routers", least, shape.groups,
                               shape.routers));
  }
  describe_cable(fields, "Of each link of a host or inside a group, in each direction.",
                 "Of each such link; 0 if left out.", shape.link);
  shape.global_link = shape.link;
  fields.bandwidth({"global_bandwidth", "Of each link between groups; bandwidth if left out."},
                   positive, shape.global_link.bandwidth);
  fields.duration({"global_latency", "Of each link between groups; latency if left out."},
                  latency_range, shape.global_link.latency);
  const auto routers = static_cast<double>(shape.routers);
  const double all = static_cast<double>(shape.groups) * routers;
  const double hosts = all * static_cast<double>(shape.hosts);
  check_size(fields, hosts,
             hosts + all * (routers + static_cast<double>(shape.global_links)) / 2.0);
}

void describe_torus(Fields& fields, Torus& shape) {
  double hosts = 1.0;
  fields.items(
      {"sizes", "Nodes in each dimension: [4, 4, 4] has 64, a host on each.", Need::required},
      [&](Fields& element) {
        std::size_t size = 1;
        count(element, {"", "Nodes."}, size_range, size);
        hosts *= static_cast<double>(size);
        shape.sizes.push_back(size);
      });
  describe_cable(fields, "Of each link between neighbours, in each direction.",
                 "Of each such link; 0 if left out.", shape.link);
  BytesPerSecond host_bandwidth;
  fields.bandwidth({"host_bandwidth",
                    "Between a host and its node's switch; what all links of a node carry together "
                    "if left out."},
                   positive, host_bandwidth);
  if (host_bandwidth.count() > 0.0) shape.host_bandwidth = host_bandwidth;
  check_size(fields, hosts, hosts * static_cast<double>(shape.sizes.size() + 1));
}

void describe_nodes(Fields& fields, GpuNodes& shape) {
  count(fields, {"gpus", "GPUs of each node; workers fill node after node.", Need::required},
        {.least = 1, .most = 1024}, shape.gpus);
  describe_cable(fields, "Between a GPU and its node's inner switch (NVLink, PCIe).",
                 "Of each such link; 0 if left out.", shape.inside);
  std::size_t nics = 1;
  count(
      fields,
      {"nics",
       "Network cards of each node, all on the same switch outside; a flow uses one of them; 1 if "
       "left out."},
      {.least = 1, .most = 64}, nics);
  SingleSwitch star{.link = {}, .ports = nics};
  LeafSpine leaf_spine{.link = {}, .ports = nics};
  fields.table({"star", "Outside, all nodes hang on one switch."}, [&](Fields& table) {
    describe_star(table, "From node to node; 0 if left out.", star);
  });
  const bool has_leaves = fields.table(
      {"leaf_spine", "Or, outside, two levels: nodes on leaves, leaves on all spines."},
      [&](Fields& table) {
        describe_leaf_spine(table, {"nodes", "Nodes on each leaf.", Need::required}, leaf_spine);
      });
  constexpr std::array<std::string_view, 2> kinds{"star", "leaf_spine"};
  fields.one_of(kinds, Need::required);
  shape.outside = star;
  if (has_leaves) shape.outside = leaf_spine;
  const double gpus = static_cast<double>(leaf_spine.leaves * leaf_spine.hosts * shape.gpus);
  check_size(fields, gpus, gpus);
}

template <class Shape>
void describe_shape(Fields& network, const Key& key,
                    const std::function<void(Fields&, Shape&)>& describe, TopologyDraft& draft) {
  Shape shape;
  if (!network.table(key, [&](Fields& fields) { describe(fields, shape); })) return;
  draft.spec = std::move(shape);
  draft.where = network.where(key.name);
  draft.path = network.path(key.name);
}

void describe_file(Fields& network, const Key& key, TopologyDraft& draft,
                   std::optional<Placed<std::string>>& file) {
  Placed<std::string> path;
  if (!network.text(key, path.value)) return;
  place(network, key.name, path);
  draft.where = path.where;
  draft.path = path.path;
  file = std::move(path);
}

}  // namespace

void describe_topology(Fields& network, TopologyDraft& draft) {
  describe_shape<SingleSwitch>(
      network, {"star", "All workers on one switch, one full-duplex link each."},
      [](Fields& fields, SingleSwitch& shape) {
        describe_star(fields, "From worker to worker; 0 if left out.", shape);
      },
      draft);
  describe_shape<LeafSpine>(
      network, {"leaf_spine", "Two levels: hosts on leaves, leaves on all spines."},
      [](Fields& fields, LeafSpine& shape) {
        describe_leaf_spine(fields, {"hosts", "Hosts on each leaf.", Need::required}, shape);
      },
      draft);
  describe_shape<FatTree>(network, {"fat_tree", "Three levels of switches with k ports each."},
                          describe_fat_tree, draft);
  describe_shape<Dragonfly>(network,
                            {"dragonfly", "Groups of routers, each group joined to each other."},
                            describe_dragonfly, draft);
  describe_shape<Torus>(network,
                        {"torus", "A grid that closes in each dimension, a host on each node."},
                        describe_torus, draft);
  describe_shape<GpuNodes>(
      network, {"nodes", "Nodes of several GPUs, with links inside and network cards outside."},
      describe_nodes, draft);
  describe_file(network,
                {"graph",
                 "Path of a file with hosts, switches and links (relative to this file): dbsim "
                 "schema --graph."},
                draft, draft.graph);
  describe_file(network,
                {"measured",
                 "Path of a network file (relative to this file), as dbsim import nccl-tests and "
                 "dbsim-calibrate --network write it: a star on which a ring takes the measured "
                 "times."},
                draft, draft.measured);
}

}  // namespace dbsim
