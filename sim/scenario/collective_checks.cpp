// What must hold between the collective and the rest of a scenario.
#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/scenario/describe_collective.hpp"

namespace dbsim {

namespace {

void check_overlap(const Scenario& scenario, const ScenarioDraft& draft,
                   std::vector<Problem>& problems) {
  const auto refuse = [&](std::string found, std::string expected) {
    problems.push_back({draft.overlap_where,
                        "network.collective.overlap",
                        std::move(found),
                        std::move(expected),
                        {}});
  };
  if (scenario.job.steps_between_syncs != 1) {
    refuse("true where parameters are averaged, not gradients", "job.sync = \"step\" beside it");
  }
  constexpr double most_buckets = 10'000;  // each is a collective of its own
  const std::optional<Bytes>& bucket = scenario.collective.bucket;
  if (bucket && gradient_bytes(scenario).count() > most_buckets * bucket->count()) {
    refuse("more than 10,000 buckets", "a larger bucket");
  }
}

void check_nodes(const Scenario& scenario, const ScenarioDraft& draft,
                 std::vector<Problem>& problems) {
  const auto refuse = [&](std::string found, std::string expected) {
    problems.push_back({draft.ranks_per_node_where,
                        "network.collective.ranks_per_node",
                        std::move(found),
                        std::move(expected),
                        {}});
  };
  const std::size_t workers = scenario.workers.size();
  const std::size_t ranks = scenario.collective.ranks_per_node;
  if (workers % ranks != 0) {
    refuse(fmt::format("{} for {} workers", ranks, workers),
           "a number that divides the workers: all nodes are full");
  }
  if (scenario.collective.algorithm != CollectiveAlgorithm::hierarchical) return;
  const auto& played = std::get<PlayedNetwork>(scenario.network);
  const auto* nodes = std::get_if<GpuNodes>(&played.topology);
  // Parts of nodes (one socket, one NVLink island) and groups of whole nodes (a leaf) are fine.
  if (nodes != nullptr && nodes->gpus % ranks != 0 && ranks % nodes->gpus != 0) {
    refuse(fmt::format("{} on nodes of {} GPUs", ranks, nodes->gpus),
           fmt::format("{}, a divisor or a multiple of it; or leave it out", nodes->gpus));
  }
}

void check_chunks(const Scenario& scenario, const ScenarioDraft& draft,
                  std::vector<Problem>& problems) {
  constexpr double most_chunks = 1e6;  // each is a round of messages
  if (scenario.collective.algorithm != CollectiveAlgorithm::double_binary_tree) return;
  const Bytes gradient = gradient_bytes(scenario);
  if (gradient.count() <= most_chunks * scenario.collective.chunk.count()) return;
  problems.push_back({draft.chunk_where,
                      "network.collective.chunk",
                      fmt::format("more than a million chunks of {} in {}",
                                  to_text(scenario.collective.chunk), to_text(gradient)),
                      "larger chunks",
                      {}});
}

// Rounds are only counted, but each message of one is kept.
void check_messages(const Scenario& scenario, const ScenarioDraft& draft,
                    std::vector<Problem>& problems) {
  constexpr std::size_t most_messages = 10'000'000;  // some GB
  const std::size_t workers = scenario.workers.size();
  std::size_t each = 4;
  if (scenario.collective.algorithm == CollectiveAlgorithm::parameter_server) {
    each = 2 * scenario.collective.servers;
  }
  if (scenario.collective.algorithm == CollectiveAlgorithm::halving_doubling) {
    each = 2 * static_cast<std::size_t>(std::bit_width(workers));
  }
  if (workers * each <= most_messages) return;
  problems.push_back({draft.algorithm_where,
                      "network.collective.algorithm",
                      fmt::format("{} different messages a step", workers * each),
                      fmt::format("at most {}: fewer workers or servers, or a ring", most_messages),
                      {}});
}

}  // namespace

void check_collective(const Scenario& scenario, const ScenarioDraft& draft,
                      std::vector<Problem>& problems) {
  if (std::holds_alternative<FixedNetwork>(scenario.network)) return;
  if (scenario.collective.overlap) check_overlap(scenario, draft, problems);
  check_nodes(scenario, draft, problems);
  check_chunks(scenario, draft, problems);
  check_messages(scenario, draft, problems);
}

}  // namespace dbsim
