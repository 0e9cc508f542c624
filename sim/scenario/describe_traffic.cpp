#include "sim/scenario/describe_traffic.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "sim/scenario/network_limits.hpp"

namespace dbsim {

namespace {

// Periods shorter than this would be all that a run has time for.
constexpr NumberRange period_range{.least = 1e-6, .most = latency_range.most};
constexpr NumberRange loop_range{.least = 1e-6, .most = 366.0 * 86'400.0};

std::optional<Placed<std::string>> read_text(Fields& fields, const Key& key) {
  Placed<std::string> text;
  if (!fields.text(key, text.value)) return std::nullopt;
  place(fields, key.name, text);
  return text;
}

std::optional<Seconds> read_period(Fields& fields, const Key& key) {
  Seconds period{};
  fields.duration(key, period_range, period);
  if (period.count() > 0.0) return period;
  return std::nullopt;
}

LinkProfileDraft read_link(Fields& fields) {
  LinkProfileDraft link;
  link.worker = read_text(
      fields, {"worker", "A worker or a group of workers: the link of each, in each direction."});
  const bool has_ends = fields.items(
      {"ends",
       "Or the two nodes that it joins: a worker, server/0, a node of the graph; else host/0, "
       "switch/0, leaf/1, spine/0 and so on."},
      [&](Fields& element) {
        Placed<std::string> end;
        element.text({"", "A node."}, end.value);
        place(element, "", end);
        link.ends.push_back(std::move(end));
      });
  if (!fields.describing() && has_ends && link.ends.size() != 2) {
    fields.problem("ends",
                   fmt::format("{} node{}", link.ends.size(), link.ends.size() == 1 ? "" : "s"),
                   "two");
  }
  constexpr std::array<std::string_view, 2> ways{"worker", "ends"};
  fields.one_of(ways, Need::required);
  if (auto profile = read_text(
          fields, {"profile",
                   "Path of a file (relative to this file) with lines such as \"120 s, 5 Gbit/s\": "
                   "the bandwidth from then on; before, it is that of the network. The first line "
                   "is \"time, bandwidth\".",
                   Need::required})) {
    link.profile = std::move(*profile);
  }
  Placed<Seconds> loop;
  if (fields.duration({"loop", "The profile begins again after so long; never if left out."},
                      loop_range, loop.value)) {
    place(fields, "loop", loop);
    link.loop = std::move(loop);
  }
  return link;
}

TrafficDraft read_traffic(Fields& fields) {
  TrafficDraft traffic;
  if (auto from = read_text(
          fields, {"from", "Where it comes from: a worker, server/0, or a host of the network."})) {
    traffic.from = std::move(*from);
  }
  if (auto to = read_text(fields, {"to", "Where it goes."})) traffic.to = std::move(*to);
  BytesPerSecond limit;
  fields.bandwidth({"limit", "What it takes at most; its fair share if left out."}, positive,
                   limit);
  if (limit.count() > 0.0) traffic.limit = limit;
  traffic.on = read_period(fields, {"on",
                                    "It is on for so long, from the start; always if left "
                                    "out."});
  traffic.off = read_period(fields, {"off", "Then off for so long, and so forth."});
  fields.boolean({"random",
                  "Whether each of these periods is drawn from an exponential distribution with "
                  "that mean; false if left out."},
                 traffic.random);
  traffic.trace = read_text(
      fields, {"trace",
               "Or the path of a file of flows (relative to this file): a line \"start, from, to, "
               "size\" or \"start, from, to, size, limit\", then one such as \"2 s, a, b, 1 GB\" a "
               "flow."});
  for (const std::string_view key : {"from", "to"}) {
    const std::array<std::string_view, 2> ways{key, "trace"};
    fields.one_of(ways, Need::required);
  }
  for (const std::string_view key : {"limit", "on", "off", "random"}) {
    const std::array<std::string_view, 2> ways{"trace", key};
    fields.one_of(ways, Need::optional);
  }
  if (traffic.on.has_value() != traffic.off.has_value()) {
    fields.problem(traffic.on ? "on" : "off", "no counterpart", "on and off together");
  }
  if (traffic.random && !traffic.on && !traffic.trace)
    fields.problem("random", "true", "on and off beside it");
  return traffic;
}

}  // namespace

void describe_link_profiles(Fields& network, ScenarioDraft& draft) {
  network.items({"link", "Links whose bandwidth changes over time."}, [&](Fields& element) {
    element.table({"", "A link, or the links of a group of workers."},
                  [&](Fields& fields) { draft.links.push_back(read_link(fields)); });
  });
}

void describe_traffic(Fields& network, ScenarioDraft& draft) {
  network.items({"traffic", "What the network carries beside the job, in fair shares."},
                [&](Fields& element) {
                  element.table(
                      {"", "A flow that lasts, one that comes and goes, or many."},
                      [&](Fields& fields) { draft.traffic.push_back(read_traffic(fields)); });
                });
}

}  // namespace dbsim
