#pragma once
// What each algorithm sends. Workers are hosts 0 .. n-1; a worker alone sends nothing.
#include <cstddef>

#include "sim/base/units.hpp"
#include "sim/model/collective.hpp"
#include "sim/scenario/message_spec.hpp"

namespace dbsim {

/// In each of n - 1 rounds everybody sends size/n to the right neighbour once the chunk from the
/// left has come and the own previous one is gone. At the end everybody holds the whole sum of one
/// chunk.
[[nodiscard]] Schedule ring_reduce_scatter(std::size_t workers, Bytes size);
/// The same rounds the other way about: everybody has one chunk of size/n, and in the end all.
[[nodiscard]] Schedule ring_all_gather(std::size_t workers, Bytes size);
/// Both, one after the other without a pause: 2 (n - 1) rounds.
[[nodiscard]] Schedule ring_all_reduce(std::size_t workers, Bytes size);

/// Hosts 0 .. workers-1 push size/servers to each of the next `servers` hosts; a server answers all
/// of them when all pushes have come.
[[nodiscard]] Schedule parameter_server(std::size_t workers, std::size_t servers, Bytes size);

/// Recursive halving, then doubling (Thakur, Rabenseifner and Gropp 2005): in step s pairs exchange
/// the 2^-s of the gradient that the other one goes on with, until everybody has the sum of one
/// n-th; then the same pairs, last step first, exchange what they have. Beyond a power of two, p,
/// n - p workers hand everything to a neighbour before and get the result from it after.
[[nodiscard]] Schedule halving_doubling(std::size_t workers, Bytes size);

/// Two binary trees, each with half of the gradient in equal chunks of at most `chunk` (Sanders,
/// Speck and Träff 2009): who is within the one is a leaf of the other, so that nobody sends more
/// than twice the gradient. Chunks are added on their way to the root, and go back down once the
/// root has them all. The trees are those of NCCL: a rank's lowest set bit is its height; the
/// second is the first in a mirror, or shifted by one where the number of workers is odd.
[[nodiscard]] Schedule double_binary_tree(std::size_t workers, Bytes size, Bytes chunk);

/// Nodes of `ranks_per_node` neighbours: a reduce-scatter around the ring of each node, ring
/// all-reduces of the n-ths among those in the same place of all nodes, an all-gather around each
/// node. `workers` is a multiple of `ranks_per_node`.
[[nodiscard]] Schedule hierarchical_all_reduce(std::size_t workers, std::size_t ranks_per_node,
                                               Bytes size);

/// The same with what each message costs beside the links: sizes are those that the links see.
[[nodiscard]] Schedule with_costs(const Schedule& schedule, const MessageSpec& costs);

/// The same with a flow for each edge in place of its rounds: all their bytes, latencies
/// and overheads. Where rounds are a pipeline (messages wait for others of the same round), the
/// first and the last stay messages of their own, so that the pipeline fills and drains.
[[nodiscard]] Schedule fluid(const Schedule& schedule);

}  // namespace dbsim
