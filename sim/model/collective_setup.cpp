#include "sim/model/collective_setup.hpp"

#include <string>

#include "sim/base/check.hpp"
#include "sim/model/collective_algorithms.hpp"

namespace dbsim {

namespace {

Schedule messages_of(const CollectiveSetup& setup, std::size_t workers, Bytes bucket) {
  switch (setup.algorithm) {
    case CollectiveAlgorithm::ring:
      return ring_all_reduce(workers, bucket);
    case CollectiveAlgorithm::double_binary_tree:
      return double_binary_tree(workers, bucket, setup.chunk);
    case CollectiveAlgorithm::halving_doubling:
      return halving_doubling(workers, bucket);
    case CollectiveAlgorithm::hierarchical:
      return hierarchical_all_reduce(workers, setup.ranks_per_node, bucket);
    case CollectiveAlgorithm::parameter_server:
      return parameter_server(workers, setup.servers, bucket);
  }
  check(false, "every algorithm has its schedule");
  return Schedule{{}, 0};
}

}  // namespace

std::size_t hosts_of(const CollectiveSetup& setup, std::size_t workers) {
  return workers + (setup.algorithm == CollectiveAlgorithm::parameter_server ? setup.servers : 0);
}

Bytes bucket_of(const CollectiveSetup& setup) {
  check(setup.buckets >= 1, "a gradient has at least one bucket");
  return Bytes{setup.gradient.count() / static_cast<double>(setup.buckets)};
}

Schedule schedule_of(const CollectiveSetup& setup, std::size_t workers, Bytes bucket) {
  const Schedule schedule = with_costs(messages_of(setup, workers, bucket), setup.messages);
  return setup.detail == CollectiveDetail::fluid ? fluid(schedule) : schedule;
}

bool waits_for_all(CollectiveAlgorithm algorithm) {
  return algorithm != CollectiveAlgorithm::parameter_server;
}

std::vector<std::string> warnings_about(const CollectiveSetup& setup, std::size_t workers) {
  std::vector<std::string> warnings;
  if (workers <= 1) return warnings;
  // Some seconds for each synchronisation that has not been played before.
  constexpr std::uint64_t many_messages = 20'000'000;
  if (setup.detail == CollectiveDetail::message) {
    const std::uint64_t messages = messages_of(setup, workers, bucket_of(setup)).messages();
    if (messages > many_messages) {
      warnings.push_back("a synchronisation sends " + std::to_string(messages / 1'000'000) +
                         " million messages for each bucket; detail = \"fluid\" is faster");
    }
  }
  if (setup.algorithm == CollectiveAlgorithm::double_binary_tree &&
      bucket_of(setup) <= setup.chunk + setup.chunk) {
    warnings.emplace_back(
        "each half of a bucket fits into one chunk of the double binary tree: nothing is "
        "pipelined; a smaller chunk may be faster");
  }
  return warnings;
}

}  // namespace dbsim
