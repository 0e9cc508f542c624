#include "sim/engine/transfers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/check.hpp"
#include "sim/base/room.hpp"

namespace dbsim {

namespace {

// What never begins within whole nanoseconds begins with the last of them.
Instant later(Instant now, Seconds delay) {
  constexpr Seconds rounding{1e-6};  // seconds in double are that coarse after 292 years
  if (delay + rounding >= to_seconds(Instant::max() - now)) return Instant::max();
  return now + to_span(delay);
}

}  // namespace

// Flows that only their own limit bounds have a clock of their own kind: it counts seconds.
Transfers::Transfers(std::span<const BytesPerSecond> capacities)
    : shares_{capacities}, finishes_{capacities.size() + 1} {
  finishes_.set_level(shares_.unbounded(), 1.0, now_);
}

TransferIndex Transfers::start(const Route& route, const Transfer& transfer, Instant at) {
  check(at >= now_, "transfers are asked for now or later");
  check(transfer.size.count() >= 0.0, "a transfer has from zero bytes up");
  const TransferIndex index = shares_.add(route.channels, transfer.limit, transfer.weight);
  if (index >= records_.size()) {
    make_room(records_, index + 1 - records_.size());
    records_.resize(index + 1);
  }
  records_[index] = {.tag = transfer.tag, .left = transfer.size.count()};
  ++under_way_;
  schedule_activation(index, later(at, route.latency));
  return index;
}

void Transfers::set_bandwidth(ChannelIndex channel, BytesPerSecond bandwidth, Instant at) {
  check(at >= now_, "a bandwidth changes now or later");
  bandwidth_changes_.schedule(at, {channel, bandwidth.count()});
}

std::optional<Instant> Transfers::next_change() {
  const std::optional<Instant> change = bandwidth_changes_.next();
  const std::optional<Instant> activation = activations_.next();
  // What is due now may touch the same flows again: rates can wait until time passes.
  if (change == now_ || activation == now_) return now_;
  settle();
  std::optional<Instant> next = finishes_.next();
  for (const std::optional<Instant>& other : {change, activation}) {
    if (other && (!next || *other < *next)) next = other;
  }
  return next;
}

std::span<const std::uint64_t> Transfers::advance(Instant to) {
  const std::optional<Instant> next = next_change();
  check(to >= now_ && (!next || to <= *next), "time passes no change by");
  now_ = to;
  finished_.clear();
  while (bandwidth_changes_.next() == now_) {
    const BandwidthChange change = bandwidth_changes_.pop().event;
    shares_.set_capacity(change.channel, BytesPerSecond{change.bandwidth});
  }
  while (const std::optional<FlowIndex> flow = finishes_.take(now_)) {
    shares_.remove(*flow);
    close(*flow);
  }
  take_activations();
  for (const TransferIndex transfer : activated_) activate(transfer);
  std::ranges::sort(finished_);
  return finished_;
}

BytesPerSecond Transfers::rate(TransferIndex transfer) {
  settle();
  return shares_.active(transfer) ? shares_.rate(transfer) : BytesPerSecond{0.0};
}

Bytes Transfers::left(TransferIndex transfer) {
  settle();
  if (!shares_.active(transfer)) return Bytes{records_[transfer].left};
  if (std::isinf(shares_.rate(transfer).count())) return Bytes{0.0};
  const double left = finishes_.left(transfer, now_);
  const bool bounded = shares_.group(transfer) != shares_.unbounded();
  return Bytes{left * (bounded ? shares_.weight(transfer) : shares_.rate(transfer).count())};
}

void Transfers::schedule_activation(TransferIndex transfer, Instant at) {
  if (latest_ != nobody && latest_at_ == at) {
    records_[transfer].next = std::exchange(records_[latest_].next, transfer);
    return;
  }
  activations_.schedule(at, transfer);
  latest_ = transfer;
  latest_at_ = at;
}

// In the order of their tags, whatever that of the calls was.
void Transfers::take_activations() {
  activated_.clear();
  while (activations_.next() == now_) {
    const TransferIndex first = activations_.pop().event;
    if (first == latest_) latest_ = nobody;
    for (TransferIndex one = first; one != nobody; one = records_[one].next) {
      activated_.push_back(one);
    }
  }
  std::ranges::sort(activated_, {}, [this](TransferIndex index) { return records_[index].tag; });
}

void Transfers::settle() {
  if (shares_.settled()) return;
  shares_.settle();
  // First who leaves, by the clocks as they went until now; then the clocks; then who enters.
  for (const FlowIndex flow : shares_.moved_flows()) {
    if (!finishes_.holds(flow)) continue;
    const GroupIndex old = finishes_.group(flow);
    const double rest = finishes_.leave(flow, now_);
    records_[flow].left =
        rest * (old != shares_.unbounded() ? shares_.weight(flow) : shares_.limit(flow).count());
  }
  for (const GroupIndex group : shares_.changed_groups()) {
    finishes_.set_level(group, shares_.level(group), now_);
  }
  for (const FlowIndex flow : shares_.moved_flows()) {
    if (finishes_.holds(flow)) continue;
    const GroupIndex group = shares_.group(flow);
    const bool bounded = group != shares_.unbounded();
    const double per = bounded ? shares_.weight(flow) : shares_.limit(flow).count();
    finishes_.enter(flow, group, records_[flow].left / per, now_);
  }
  shares_.forget_changes();
}

void Transfers::activate(TransferIndex transfer) {
  if (records_[transfer].left == 0.0) {  // nothing to divide, even where no bandwidth is left
    shares_.remove(transfer);
    close(transfer);
    return;
  }
  shares_.activate(transfer);
}

// Zero bytes left by definition: what rounding to whole nanoseconds left over is not sent again.
void Transfers::close(TransferIndex transfer) {
  finished_.push_back(records_[transfer].tag);
  --under_way_;
}

}  // namespace dbsim
