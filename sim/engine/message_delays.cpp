#include "sim/engine/message_delays.hpp"

#include <cstdint>
#include <variant>

namespace dbsim {

namespace {

struct Draw {
  RandomStream& stream;
  Seconds operator()(const LognormalDelay& delay) const {
    return delay.median * stream.lognormal(delay.sigma);
  }
  Seconds operator()(const ExponentialDelay& delay) const {
    return Seconds{stream.exponential(delay.mean.count())};
  }
  Seconds operator()(const MeasuredDelay& delay) const {
    const auto last = static_cast<std::int64_t>(delay.samples.size()) - 1;
    return delay.samples[static_cast<std::size_t>(stream.whole(0, last))];
  }
};

}  // namespace

Seconds MessageDelays::draw(NodeIndex from, NodeIndex to, std::int64_t messages) {
  auto known = of_pair_.find({from, to});
  if (known == of_pair_.end()) {
    const std::string pair = name_of(from) + '>' + name_of(to);
    known = of_pair_.emplace(std::pair{from, to}, streams_.stream("message-delay", pair)).first;
  }
  RandomStream& stream = known->second;
  Seconds delay{};
  for (std::int64_t message = 0; message < messages; ++message) {
    if (spec_->jitter) delay += std::visit(Draw{stream}, *spec_->jitter);
    if (spec_->spike && stream.uniform() < spec_->spike->chance) delay += spec_->spike->length;
  }
  return delay;
}

std::string MessageDelays::name_of(NodeIndex host) const {
  return host < tenants_.size() ? tenants_[host] : "host/" + std::to_string(host);
}

}  // namespace dbsim
