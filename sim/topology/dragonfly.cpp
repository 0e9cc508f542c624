#include "sim/base/check.hpp"
#include "sim/topology/shapes.hpp"

namespace dbsim {

namespace {

// One global link costs less than any way over two of them, and two more local ones do not make up
// for that: 1 + 3 + 1 < 3 + 3. So the shortest routes are the minimal ones.
constexpr std::uint8_t global_length = 3;

class Drawing {
 public:
  explicit Drawing(const Dragonfly& shape)
      : shape_{shape},
        first_router_{static_cast<NodeIndex>(shape.groups * shape.routers * shape.hosts)},
        network_{nodes(first_router_, {{"router", shape.groups * shape.routers}})} {}

  Network finish() && {
    for (NodeIndex host = 0; host < first_router_; ++host) {
      const auto router = static_cast<NodeIndex>(host / shape_.hosts);
      join(network_, host, first_router_ + router, shape_.link);
    }
    for (std::size_t group = 0; group < shape_.groups; ++group) join_routers(group);
    for (std::size_t group = 0; group < shape_.groups; ++group) join_later_groups(group);
    return std::move(network_);
  }

 private:
  [[nodiscard]] NodeIndex router(std::size_t group, std::size_t index) const {
    return first_router_ + static_cast<NodeIndex>(group * shape_.routers + index);
  }

  void join_routers(std::size_t group) {
    for (std::size_t one = 0; one < shape_.routers; ++one) {
      for (std::size_t other = one + 1; other < shape_.routers; ++other) {
        join(network_, router(group, one), router(group, other), shape_.link);
      }
    }
  }

  // The used global ports of a group are counted through its routers. Port q leads (q mod (groups -
  // 1)) + 1 groups on, round the circle of groups.
  void join_later_groups(std::size_t group) {
    const std::size_t others = shape_.groups - 1;
    if (others == 0) return;
    for (std::size_t copy = 0; copy < links_of_a_pair(); ++copy) {
      for (std::size_t later = group + 1; later < shape_.groups; ++later) {
        const std::size_t ahead = later - group;
        const std::size_t back = shape_.groups - ahead;
        join(network_, router(group, router_of_port(copy * others + ahead - 1)),
             router(later, router_of_port(copy * others + back - 1)), shape_.global_link);
        network_.links.back().length = global_length;
      }
    }
  }

  [[nodiscard]] std::size_t links_of_a_pair() const {
    return shape_.routers * shape_.global_links / (shape_.groups - 1);
  }

  // Where fewer are used than there are, no router has two more of them than another.
  [[nodiscard]] std::size_t router_of_port(std::size_t port) const {
    const std::size_t used = links_of_a_pair() * (shape_.groups - 1);
    return port * shape_.routers / used;
  }

  const Dragonfly& shape_;
  NodeIndex first_router_;
  Network network_;
};

}  // namespace

Network dragonfly(const Dragonfly& shape) {
  check(shape.groups <= shape.routers * shape.global_links + 1,
        "the global links of a dragonfly join each pair of groups");
  return Drawing{shape}.finish();
}

}  // namespace dbsim
