#include "sim/scenario/describe_collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace dbsim {

namespace {

constexpr std::array<std::string_view, 5> algorithms{
    "ring", "double-binary-tree", "halving-doubling", "hierarchical", "parameter-server"};

CollectiveAlgorithm algorithm_named(std::string_view name) {
  const auto place = std::ranges::find(algorithms, name) - algorithms.begin();
  constexpr std::array values{CollectiveAlgorithm::ring, CollectiveAlgorithm::double_binary_tree,
                              CollectiveAlgorithm::halving_doubling,
                              CollectiveAlgorithm::hierarchical,
                              CollectiveAlgorithm::parameter_server};
  return values[static_cast<std::size_t>(place)];
}

// A parameter of another algorithm is a slip, not a thing to ignore.
void belongs_to(Fields& fields, std::string_view key, std::string_view owner,
                const std::string& algorithm) {
  if (algorithm == owner) return;
  fields.problem(key, fmt::format("{} with \"{}\"", key, algorithm),
                 fmt::format("algorithm = \"{}\" beside it", owner));
}

const GpuNodes* gpu_nodes(const TopologyDraft& topology) {
  return topology.spec ? std::get_if<GpuNodes>(&*topology.spec) : nullptr;
}

void describe_nodes(Fields& fields, const std::string& algorithm, ScenarioDraft& draft) {
  std::int64_t ranks_per_node = 1;
  const bool given = fields.whole(
      {"ranks_per_node",
       "Workers of a node, for \"hierarchical\": so many in a row; they divide the workers. The "
       "gpus of network.nodes if left out."},
      {.least = 1, .most = 100'000}, ranks_per_node);
  if (given) belongs_to(fields, "ranks_per_node", "hierarchical", algorithm);
  draft.collective.ranks_per_node = static_cast<std::size_t>(ranks_per_node);
  draft.ranks_per_node_where = fields.where("ranks_per_node");
  if (given || algorithm != "hierarchical") return;
  if (const GpuNodes* nodes = gpu_nodes(draft.topology)) {
    draft.collective.ranks_per_node = nodes->gpus;
  } else {
    fields.problem("algorithm", "\"hierarchical\" alone",
                   "ranks_per_node beside it: how many workers in a row are a node");
  }
}

void describe_parameters(Fields& fields, const std::string& algorithm, ScenarioDraft& draft) {
  CollectiveSpec& spec = draft.collective;
  std::int64_t servers = 1;
  if (fields.whole(
          {"servers", "Shards of the parameter server, each a host of its own; 1 if left out."},
          {.least = 1, .most = 1024}, servers)) {
    belongs_to(fields, "servers", "parameter-server", algorithm);
  }
  spec.servers = static_cast<std::size_t>(servers);
  describe_nodes(fields, algorithm, draft);
  if (fields.size({"chunk",
                   "Bytes that a double binary tree passes on at a time; \"512 KiB\" if left out."},
                  positive, spec.chunk)) {
    belongs_to(fields, "chunk", "double-binary-tree", algorithm);
  }
  draft.chunk_where = fields.where("chunk");
}

}  // namespace

void describe_collective(Fields& network, ScenarioDraft& draft) {
  network.table({"collective", "How gradients are combined; a ring if left out."}, [&](Fields&
                                                                                           fields) {
    std::string algorithm = "ring";
    fields.choice({"algorithm",
                   "All-reduce by a \"ring\" (the default), a \"double-binary-tree\", "
                   "\"halving-doubling\" or \"hierarchical\" rings, or a "
                   "\"parameter-server\"."},
                  algorithms, algorithm);
    draft.collective.algorithm = algorithm_named(algorithm);
    draft.algorithm_where = fields.where("algorithm");
    describe_parameters(fields, algorithm, draft);
    Bytes bucket{-1.0};
    fields.size(
        {"bucket",
         "The gradient travels in pieces of this size, one after another; whole if left out and "
         "nothing overlaps."},
        positive, bucket);
    if (bucket.count() > 0.0) draft.collective.bucket = bucket;
    fields.boolean(
        {"overlap",
         "Whether buckets travel while backward goes on, as in PyTorch's DDP; false if left "
         "out: all after backward. Without bucket, those of the profile, or \"25 MiB\"."},
        draft.collective.overlap);
    draft.overlap_where = fields.where("overlap");
    constexpr std::array<std::string_view, 2> details{"message", "fluid"};
    std::string detail = "message";
    fields.choice({"detail",
                   "Level of detail: every \"message\" is played (the default), or all rounds "
                   "between two hosts are one \"fluid\" flow."},
                  details, detail);
    draft.collective.detail =
        detail == "fluid" ? CollectiveDetail::fluid : CollectiveDetail::message;
  });
}

}  // namespace dbsim
