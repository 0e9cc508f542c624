#pragma once
// Random delays of messages.
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/model/collective_setup.hpp"
#include "sim/topology/network.hpp"

namespace dbsim {

/// Each pair of hosts draws from a stream of its own, named by who runs on them, one draw after
/// another as it sends. A plain value: a copy repeats the draws.
class MessageDelays {
 public:
  /// `spec` and `tenants` (names by host; other hosts go by number) must outlive it and its copies.
  MessageDelays(const MessageSpec& spec, std::span<const std::string> tenants,
                const RandomStreams& streams)
      : spec_{&spec}, tenants_{tenants}, streams_{streams} {}

  /// Of so many messages together, one after another.
  [[nodiscard]] Seconds draw(NodeIndex from, NodeIndex to, std::int64_t messages);

 private:
  [[nodiscard]] std::string name_of(NodeIndex host) const;

  const MessageSpec* spec_;
  std::span<const std::string> tenants_;
  RandomStreams streams_;
  std::map<std::pair<NodeIndex, NodeIndex>, RandomStream> of_pair_;  // of those that have sent
};

}  // namespace dbsim
