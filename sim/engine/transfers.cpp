#include "sim/engine/transfers.hpp"

#include <algorithm>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

// A crawling transfer ends when whole nanoseconds do, rather than beyond them.
Instant later(Instant now, Seconds delay) {
  constexpr Seconds rounding{1e-6};  // seconds in double are that coarse after 292 years
  if (delay + rounding >= to_seconds(Instant::max() - now)) return Instant::max();
  return now + to_span(delay);
}

}  // namespace

Transfers::Transfers(std::span<const BytesPerSecond> capacities) : shares_{capacities} {}

TransferIndex Transfers::start(const Route& route, const Transfer& transfer, Instant at) {
  check(at >= now_, "transfers are asked for now or later");
  check(transfer.size.count() >= 0.0, "a transfer has from zero bytes up");
  if (free_records_.empty()) {
    free_records_.push_back(static_cast<TransferIndex>(records_.size()));
    records_.emplace_back();
  }
  const TransferIndex index = free_records_.back();
  free_records_.pop_back();
  Record& record = records_[index];
  record.channels.assign(route.channels.begin(), route.channels.end());
  record.tag = transfer.tag;
  record.limit = transfer.limit.count();
  record.left = transfer.size.count();
  record.rate = 0.0;
  record.active = false;
  record.event = events_.schedule(later(at, route.latency), index);
  return index;
}

void Transfers::set_bandwidth(ChannelIndex channel, BytesPerSecond bandwidth, Instant at) {
  check(at >= now_, "a bandwidth changes now or later");
  bandwidth_changes_.schedule(at, {channel, bandwidth.count()});
}

std::optional<Instant> Transfers::next_change() {
  const std::optional<Instant> change = bandwidth_changes_.next();
  // What is due now may touch the same flows again: rates can wait until time passes.
  if (change != now_ && events_.next() != now_) settle();
  const std::optional<Instant> event = events_.next();
  if (!change || !event) return change ? change : event;
  return std::min(*change, *event);
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
  while (events_.next() == now_) {
    const TransferIndex transfer = events_.pop().event;
    if (records_[transfer].active) {
      finish(transfer);
    } else {
      activate(transfer);
    }
  }
  std::ranges::sort(finished_);
  return finished_;
}

BytesPerSecond Transfers::rate(TransferIndex transfer) {
  settle();
  return BytesPerSecond{records_[transfer].rate};
}

Bytes Transfers::left(TransferIndex transfer) {
  settle();
  const Record& record = records_[transfer];
  if (!record.active || record.since == now_) return Bytes{record.left};
  return Bytes{std::max(0.0, record.left - record.rate * to_seconds(now_ - record.since).count())};
}

void Transfers::settle() {
  if (shares_.settled()) return;
  for (const FlowIndex flow : shares_.settle()) settle(transfer_of_[flow]);
}

// From one rate to the next.
void Transfers::settle(TransferIndex transfer) {
  Record& record = records_[transfer];
  if (record.since < now_) {
    const double through = record.rate * to_seconds(now_ - record.since).count();
    record.left = std::max(0.0, record.left - through);
    record.since = now_;
  }
  record.rate = shares_.rate(record.flow).count();
  events_.cancel(record.event);
  if (record.rate > 0.0) {
    const Seconds needed = Bytes{record.left} / BytesPerSecond{record.rate};
    record.event = events_.schedule(later(now_, needed), transfer);
  }
}

void Transfers::activate(TransferIndex transfer) {
  Record& record = records_[transfer];
  if (record.left == 0.0) {  // nothing to divide, even where no bandwidth is left
    close(transfer);
    return;
  }
  record.active = true;
  record.since = now_;
  record.flow = shares_.add(record.channels, BytesPerSecond{record.limit});
  if (record.flow >= transfer_of_.size()) transfer_of_.resize(record.flow + 1);
  transfer_of_[record.flow] = transfer;
}

// Zero bytes left by definition: what rounding to whole nanoseconds left over is not sent again.
void Transfers::finish(TransferIndex transfer) {
  Record& record = records_[transfer];
  record.left = 0.0;
  shares_.remove(record.flow);
  close(transfer);
}

void Transfers::close(TransferIndex transfer) {
  finished_.push_back(records_[transfer].tag);
  free_records_.push_back(transfer);
}

}  // namespace dbsim
