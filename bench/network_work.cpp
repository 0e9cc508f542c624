#include "bench/network_work.hpp"

#include <numeric>
#include <utility>

#include "sim/base/random.hpp"
#include "sim/model/collective_algorithms.hpp"

namespace dbsim::bench {

namespace {

constexpr BytesPerSecond ten_gigabit{1.25e9};
constexpr Seconds latency{25e-6};
constexpr Bytes gradient{44.7e6};

RandomStream draws(const char* purpose) { return RandomStreams{3}.stream("bench", purpose); }

std::vector<NodeIndex> shuffled(std::size_t ranks) {
  RandomStream random = draws("ring");
  std::vector<NodeIndex> order(ranks);
  std::iota(order.begin(), order.end(), NodeIndex{0});
  for (std::size_t i = ranks; i > 1; --i) {
    const auto other = static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(i) - 1));
    std::swap(order[i - 1], order[other]);
  }
  return order;
}

Network four_to_one_leaves(std::size_t ranks) {
  constexpr std::size_t hosts_each = 16;
  const std::size_t leaves = ranks / hosts_each;
  Network network{.hosts = ranks, .switches = leaves + 1, .links = {}, .routes = {}};
  const auto spine = static_cast<NodeIndex>(ranks + leaves);
  const auto add = [&](NodeIndex from, NodeIndex to, double times) {
    network.links.push_back({.from = from,
                             .to = to,
                             .bandwidth = BytesPerSecond{times * ten_gigabit.count()},
                             .latency = latency / 4.0});
  };
  for (NodeIndex host = 0; host < ranks; ++host) {
    add(host, static_cast<NodeIndex>(ranks + host / hosts_each), 1.0);
  }
  for (auto leaf = static_cast<NodeIndex>(ranks); leaf < spine; ++leaf) add(leaf, spine, 4.0);
  return network;
}

}  // namespace

NetworkWork ring_on_a_star(std::size_t ranks) {
  return {.topology = Topology{star(ranks, ten_gigabit, latency)},
          .schedule = ring_all_reduce(ranks, gradient),
          .ready = std::vector<Span>(ranks)};
}

NetworkWork ring_on_a_mixed_star(std::size_t ranks) {
  RandomStream random = draws("links");
  std::vector<BytesPerSecond> links;
  for (std::size_t i = 0; i < ranks; ++i) links.emplace_back(1.25e9 * random.lognormal(0.3));
  return {.topology = Topology{star(links, latency)},
          .schedule = ring_all_reduce(ranks, gradient),
          .ready = std::vector<Span>(ranks)};
}

NetworkWork shuffled_ring_on_four_to_one_leaves(std::size_t ranks) {
  const std::vector<NodeIndex> order = shuffled(ranks);
  const Schedule ring = ring_all_reduce(ranks, gradient);
  std::vector<Message> pattern(ring.pattern().begin(), ring.pattern().end());
  for (Message& message : pattern) {
    message.from = order[message.from];
    message.to = order[message.to];
  }
  return {.topology = Topology{four_to_one_leaves(ranks)},
          .schedule = Schedule{std::move(pattern), ring.rounds(0)},
          .ready = std::vector<Span>(ranks)};
}

NetworkWork parameter_server_with_unequal_starts(std::size_t workers) {
  RandomStream random = draws("starts");
  std::vector<Span> ready;
  for (std::size_t i = 0; i < workers; ++i) ready.push_back(to_span(Seconds{random.uniform()}));
  return {.topology = Topology{star(workers + 1, ten_gigabit, latency)},
          .schedule = parameter_server(workers, 1, gradient),
          .ready = std::move(ready)};
}

NetworkWork unequal_all_to_all(std::size_t ranks) {
  RandomStream random = draws("sizes");
  std::vector<Message> pattern;
  for (NodeIndex from = 0; from < ranks; ++from) {
    for (NodeIndex to = 0; to < ranks; ++to) {
      if (from == to) continue;
      pattern.push_back({.from = from, .to = to, .size = Bytes{1e6 * (0.5 + random.uniform())}});
    }
  }
  return {.topology = Topology{star(ranks, ten_gigabit, latency)},
          .schedule = Schedule{std::move(pattern), 1},
          .ready = std::vector<Span>(ranks)};
}

}  // namespace dbsim::bench
