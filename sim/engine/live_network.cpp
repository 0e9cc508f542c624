#include "sim/engine/live_network.hpp"

#include <algorithm>
#include <utility>

#include "sim/base/check.hpp"
#include "sim/engine/run_too_long.hpp"

namespace dbsim {

namespace {

constexpr Bytes endless{1e30};
constexpr BytesPerSecond open_gate{1e18};

const PlayedCommunication& played(const CommunicationSetup& setup) {
  return std::get<PlayedCommunication>(setup.how);
}

// Behind those of the network, each flow that comes and goes has a gate: a channel of its own that
// carries its limit while it is on, and nothing while it is off.
std::vector<BytesPerSecond> with_gates(const Topology& topology,
                                       const std::vector<TrafficSpec>& traffic) {
  std::vector<BytesPerSecond> capacities(topology.capacities().begin(),
                                         topology.capacities().end());
  for (const TrafficSpec& spec : traffic) {
    if (const auto* on_off = std::get_if<OnOffTraffic>(&spec)) {
      capacities.push_back(on_off->flow.limit.value_or(open_gate));
    }
  }
  return capacities;
}

Route route_of(const Topology& topology, const FlowEnds& ends) {
  std::optional<Route> route = topology.route(ends.from, ends.to);
  check(route.has_value(), "a path joins the ends of a flow");
  return *std::move(route);
}

// Delays beyond any run end with it.
Span to_span_within_a_run(Seconds delay) { return to_span(std::min(delay, longest_run)); }

}  // namespace

LiveNetwork::LiveNetwork(const CommunicationSetup& setup, const Topology& topology,
                         const RandomStreams& streams)
    : transfers_{with_gates(topology, played(setup).traffic)} {
  auto gate = static_cast<ChannelIndex>(topology.capacities().size());
  for (const LinkProfileSpec& link : played(setup).links) add(link, topology);
  for (const TrafficSpec& spec : played(setup).traffic) {
    if (const auto* constant = std::get_if<ConstantTraffic>(&spec)) add(*constant, topology);
    if (const auto* traced = std::get_if<TracedTraffic>(&spec)) add(*traced, topology);
    if (const auto* on_off = std::get_if<OnOffTraffic>(&spec)) {
      add(*on_off, topology, gate++, streams);
    }
  }
  const MessageSpec& messages = setup.collective.messages;
  if (messages.random()) delays_.emplace(messages, played(setup).tenants, streams);
}

void LiveNetwork::start(const Message& message, const Route& route, MessageIndex tag, Instant at) {
  if (delays_ && message.from != message.to) {
    at += to_span_within_a_run(delays_->draw(message.from, message.to, message.latencies));
  }
  (void)transfers_.start(route, {.size = message.size, .tag = tag}, at);
}

std::optional<Instant> LiveNetwork::next_change() {
  const std::optional<Instant> transfer = transfers_.next_change();
  const std::optional<Instant> doing = doings_.next();
  if (!transfer || !doing) return transfer ? transfer : doing;
  return std::min(*transfer, *doing);
}

std::span<const std::uint64_t> LiveNetwork::advance(Instant to) {
  const std::span<const std::uint64_t> finished = transfers_.advance(to);
  now_ = to;
  while (doings_.next() == now_) {
    const std::size_t source = doings_.pop().event;
    const auto next = std::visit([this](auto& what) { return act(what); }, sources_[source]);
    if (next) doings_.schedule(*next, source);
  }
  if (finished.empty() || finished.back() < first_other_tag) return finished;
  const auto others = std::ranges::lower_bound(finished, first_other_tag);
  return finished.first(static_cast<std::size_t>(others - finished.begin()));
}

// A flow that lasts is there from the start: its latency was over before the run.
void LiveNetwork::add(const ConstantTraffic& traffic, const Topology& topology) {
  Route route = route_of(topology, traffic.ends);
  route.latency = Seconds{};
  (void)transfers_.start(
      route, {.size = endless, .limit = traffic.limit.value_or(unlimited), .tag = next_tag_++},
      now_);
}

void LiveNetwork::add(const OnOffTraffic& traffic, const Topology& topology, ChannelIndex gate,
                      const RandomStreams& streams) {
  Route route = route_of(topology, traffic.flow.ends);
  route.latency = Seconds{};
  route.channels.push_back(gate);
  (void)transfers_.start(route, {.size = endless, .tag = next_tag_++}, now_);
  // It is off before the start, and the first thing it does is to be on.
  add_source(OnOff{.traffic = &traffic,
                   .gate = gate,
                   .stream = streams.stream("traffic", traffic.name),
                   .on = false},
             now_);
}

void LiveNetwork::add(const TracedTraffic& traffic, const Topology& topology) {
  if (traffic.flows.empty()) return;
  Trace source{.trace = &traffic, .routes = {}};
  for (const TracedFlow& flow : traffic.flows) {
    source.routes.push_back(route_of(topology, flow.ends));
  }
  const Instant first = now_ + to_span(traffic.flows.front().start);
  add_source(std::move(source), first);
}

void LiveNetwork::add(const LinkProfileSpec& link, const Topology& topology) {
  Profile source{.profile = &link.profile, .channels = {}, .turn = now_};
  for (const LinkIndex index : link.links) {
    source.channels.push_back(topology.channel({index, Direction::forward}));
    const ChannelIndex back = topology.channel({index, Direction::backward});
    if (back != source.channels.back()) source.channels.push_back(back);
  }
  const Instant first = now_ + to_span(link.profile.lines.front().at);
  add_source(std::move(source), first);
}

void LiveNetwork::add_source(Source source, Instant first) {
  doings_.schedule(first, sources_.size());
  sources_.push_back(std::move(source));
}

std::optional<Instant> LiveNetwork::act(Profile& profile) {
  const std::vector<BandwidthAt>& lines = profile.profile->lines;
  for (const ChannelIndex channel : profile.channels) {
    transfers_.set_bandwidth(channel, lines[profile.line].bandwidth, now_);
  }
  if (++profile.line == lines.size()) {
    if (!profile.profile->loop) return std::nullopt;
    profile.line = 0;
    profile.turn += to_span(*profile.profile->loop);
  }
  return profile.turn + to_span(lines[profile.line].at);
}

std::optional<Instant> LiveNetwork::act(OnOff& source) {
  const OnOffTraffic& traffic = *source.traffic;
  source.on = !source.on;
  transfers_.set_bandwidth(
      source.gate, source.on ? traffic.flow.limit.value_or(open_gate) : BytesPerSecond{}, now_);
  const Seconds mean = source.on ? traffic.on : traffic.off;
  const Seconds period = traffic.random ? Seconds{source.stream.exponential(mean.count())} : mean;
  return now_ + std::max(Span{1}, to_span(period));
}

std::optional<Instant> LiveNetwork::act(Trace& source) {
  const std::vector<TracedFlow>& flows = source.trace->flows;
  const TracedFlow& flow = flows[source.flow];
  (void)transfers_.start(
      source.routes[source.flow],
      {.size = flow.size, .limit = flow.limit.value_or(unlimited), .tag = next_tag_++}, now_);
  if (++source.flow == flows.size()) return std::nullopt;
  return Instant{to_span(flows[source.flow].start)};
}

}  // namespace dbsim
