#include "sim/topology/distances.hpp"

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

using Graph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, std::uint32_t, std::uint32_t>;
using Arcs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// A long link is a chain of short ones, so that one search serves all: the vertices between its
// ends come after the switches.
void add_chain(std::uint32_t from, std::uint32_t to, std::uint32_t length, std::uint32_t& vertices,
               Arcs& arcs) {
  for (std::uint32_t i = 1; i < length; ++i) {
    arcs.emplace_back(from, vertices);
    from = vertices++;
  }
  arcs.emplace_back(from, to);
}

Graph graph_of(const Network& network) {
  const auto first = static_cast<std::uint32_t>(network.hosts);
  auto vertices = static_cast<std::uint32_t>(network.switches);
  Arcs arcs;
  for (const Link& link : network.links) {
    if (link.from < first || link.to < first) continue;
    add_chain(link.from - first, link.to - first, link.length, vertices, arcs);
    add_chain(link.to - first, link.from - first, link.length, vertices, arcs);
  }
  return Graph{boost::edges_are_unsorted_multi_pass, arcs.begin(), arcs.end(), vertices};
}

}  // namespace

class SwitchDistances::Search {
 public:
  explicit Search(const Network& network) : graph_{graph_of(network)}, known_(network.switches) {}

  [[nodiscard]] std::unique_ptr<Search> clone() const {
    const std::scoped_lock lock{asking_};
    return std::unique_ptr<Search>{new Search{graph_, known_}};
  }

  std::span<const std::uint32_t> to(std::uint32_t target) {
    check(target < known_.size(), "distances lead to a switch of the network");
    const std::scoped_lock lock{asking_};
    std::vector<std::uint32_t>& distances = known_[target];
    if (distances.empty()) distances = search(target);
    return distances;
  }

 private:
  Search(Graph graph, std::vector<std::vector<std::uint32_t>> known)
      : graph_{std::move(graph)}, known_{std::move(known)} {}

  // Every link leads both ways, so the way from the target is as long as the way to it.
  [[nodiscard]] std::vector<std::uint32_t> search(std::uint32_t target) const {
    std::vector<std::uint32_t> distances(num_vertices(graph_), unreachable);
    distances[target] = 0;
    const auto recorder = boost::record_distances(distances.data(), boost::on_tree_edge{});
    std::vector<boost::default_color_type> colors(distances.size());
    boost::breadth_first_search(graph_, target,
                                boost::visitor(boost::make_bfs_visitor(recorder))
                                    .color_map(boost::make_iterator_property_map(
                                        colors.begin(), get(boost::vertex_index, graph_))));
    distances.resize(known_.size());
    distances.shrink_to_fit();
    return distances;
  }

  Graph graph_;
  std::vector<std::vector<std::uint32_t>> known_;  // by target; empty: not asked for yet
  mutable std::mutex asking_;
};

SwitchDistances::SwitchDistances(const Network& network)
    : search_{std::make_unique<Search>(network)} {}
SwitchDistances::SwitchDistances(const SwitchDistances& other) = default;
SwitchDistances::SwitchDistances(SwitchDistances&& other) noexcept = default;
SwitchDistances& SwitchDistances::operator=(const SwitchDistances& other) = default;
SwitchDistances& SwitchDistances::operator=(SwitchDistances&& other) noexcept = default;
SwitchDistances::~SwitchDistances() = default;

std::span<const std::uint32_t> SwitchDistances::to(std::uint32_t target) const {
  return search_->to(target);
}

}  // namespace dbsim
