#include "sim/flows/case_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sim/flows/names.hpp"
#include "sim/flows/waiting_circle.hpp"
#include "sim/io/wording.hpp"

namespace dbsim {

namespace {

// Thirty years: far inside of what instants reach, far outside of what anybody means.
constexpr NumberRange time_range{.least = 0.0, .most = 1e9};
// Instants end before, so no later answer can be met.
constexpr NumberRange answer_range{.least = 0.0, .most = 1e10};

/// Reads text of at least one character; what is bad leaves `name` empty.
void read_name(Fields& fields, const Key& key, std::string& name) {
  fields.parsed(key, "text, at least one character", "^.+$", [&](std::string_view text) {
    name = text;
    return !text.empty();
  });
}

std::optional<Seconds> read_answer(Fields& fields, const Key& key) {
  double seconds = -1.0;  // no answer lies below zero
  const bool given = fields.number(key, answer_range, seconds);
  return given && seconds >= 0.0 ? std::optional{Seconds{seconds}} : std::nullopt;
}

/// A flow that a flow waits for, as long as it is only a name.
struct Awaited {
  std::size_t by;
  std::string name;
  Where where;
  std::string path;
  std::optional<std::uint32_t> flow{};
};

/// Reads one case. Flows may wait for flows further down, so what is wrong with that is known last.
class CaseReader {
 public:
  CaseReader(FlowCase& result, std::vector<Problem>& late) : case_{result}, late_{late} {}

  void read(Fields& fields);

 private:
  struct Ends {
    std::optional<NodeIndex> from;
    std::optional<NodeIndex> to;
  };

  void read_nodes(Fields& fields, const Key& key);
  void read_links(Fields& fields);
  void read_link(Fields& link);
  NodeIndex read_end(Fields& link, const Key& key);
  void read_changes(Fields& link);
  void add_steps();
  void read_flows(Fields& fields);
  void read_flow(Fields& flow);
  std::optional<NodeIndex> read_host(Fields& flow, const Key& key);
  void read_start(Fields& flow, PlannedFlow& planned);
  Route read_route(Fields& flow, const Ends& ends);
  bool read_hop(Fields& step, std::vector<Hop>& hops);
  void check_way(Fields& flow, const std::vector<Hop>& hops, const Ends& ends) const;
  const std::optional<Route>& own_route(NodeIndex from, NodeIndex to);
  void find_awaited();
  void refuse_circle();
  void file_late(Problem problem);
  /// What a file with given routes may leave out; a schema speaks of both kinds.
  [[nodiscard]] Need needed(const Fields& fields) const {
    return given_ || fields.describing() ? Need::optional : Need::required;
  }

  struct Change {
    LinkIndex link;
    BytesPerSecond bandwidth;
    Seconds at;
  };

  FlowCase& case_;
  std::vector<Problem>& late_;
  bool given_{};      // routes are; the ends of links and flows mean nothing
  bool sound_{true};  // every link has its two ends
  Network network_;
  Names nodes_;
  Names links_;
  Names flows_;
  std::vector<Change> changes_;
  std::map<std::pair<NodeIndex, NodeIndex>, std::optional<Route>> own_routes_;
  std::vector<Awaited> awaited_;  // further down than who waits for them, or nowhere
};

void CaseReader::read(Fields& fields) {
  constexpr std::array<std::string_view, 1> routes{"given"};
  std::string word;
  read_name(fields, {"name", "What the case is called.", Need::required}, case_.name);
  fields.text({"description", "What it shows."}, case_.description);
  fields.choice({"routes",
                 "\"given\": every flow has its route, and the ends of links and flows mean "
                 "nothing. Otherwise flows that have none take the fewest links."},
                routes, word);
  given_ = word == "given";
  read_nodes(fields, {"hosts", "Names of the nodes at which flows begin and end.", needed(fields)});
  network_.hosts = nodes_.size();
  read_nodes(fields, {"switches", "Names of the nodes in between."});
  network_.switches = nodes_.size() - network_.hosts;
  if (given_) {  // every link hangs between the same two
    network_.hosts = 2;
    network_.switches = 0;
  }
  read_links(fields);
  if (sound_ && !fields.describing()) {
    case_.topology = Topology{network_};
    add_steps();
  }
  read_flows(fields);
  case_.makespan =
      read_answer(fields, {"makespan_s", "When the last flow should finish, in seconds."});
}

void CaseReader::read_nodes(Fields& fields, const Key& key) {
  fields.items(key, [&](Fields& element) {
    std::string name;
    read_name(element, {"", "A name."}, name);
    if (name.empty()) return;
    if (!nodes_.add(name)) {
      element.problem({}, in_quotes(name) + " twice",
                      "names that differ, hosts and switches alike");
    }
  });
}

void CaseReader::read_links(Fields& fields) {
  fields.items({"links", "What joins the nodes.", Need::required}, [&](Fields& element) {
    element.table({"", "One link."}, [&](Fields& link) { read_link(link); });
  });
}

void CaseReader::read_link(Fields& link) {
  constexpr std::array<std::string_view, 2> duplexes{"full", "shared"};
  std::string name;
  read_name(link, {"name", "What routes call it.", Need::required}, name);
  if (!links_.add(name) && !name.empty()) {
    link.problem("name", in_quotes(name) + " twice", "names that differ");
  }
  Link& read = network_.links.emplace_back();
  read.from = read_end(link, {"from", "A host or a switch.", needed(link)});
  read.to = read_end(link, {"to", "Another.", needed(link)});
  double bandwidth = 0.0;
  double latency = 0.0;
  link.number({"bandwidth_Bps", "Bytes per second.", Need::required}, not_negative, bandwidth);
  link.number({"latency_s", "Seconds; 0 if left out."}, time_range, latency);
  read.bandwidth = BytesPerSecond{bandwidth};
  read.latency = Seconds{latency};
  std::string duplex;
  link.choice({"duplex",
               "\"full\": each direction has the whole bandwidth, as if left out. \"shared\": both "
               "divide it."},
              duplexes, duplex);
  read.duplex = duplex == "shared" ? Duplex::shared : Duplex::full;
  read_changes(link);
}

NodeIndex CaseReader::read_end(Fields& link, const Key& key) {
  std::string name;
  read_name(link, key, name);
  if (given_) return key.name == "from" ? 0 : 1;
  const std::optional<NodeIndex> node = nodes_.find(name);
  if (!node && !name.empty()) {
    link.problem(key.name, in_quotes(name), "a host or switch of this case", nodes_.suggest(name));
  }
  sound_ = sound_ && node;
  return node.value_or(0);
}

void CaseReader::read_changes(Fields& link) {
  link.items(
      {"bandwidth_changes", "How its bandwidth changes, both directions alike."},
      [&](Fields& element) {
        element.table({"", "One change."}, [&](Fields& change) {
          double at = 0.0;
          double bandwidth = 0.0;
          change.number({"at_s", "From this time on, in seconds.", Need::required}, time_range, at);
          change.number({"bandwidth_Bps", "Bytes per second.", Need::required}, not_negative,
                        bandwidth);
          changes_.push_back({.link = static_cast<LinkIndex>(links_.size() - 1),
                              .bandwidth = BytesPerSecond{bandwidth},
                              .at = Seconds{at}});
        });
      });
}

void CaseReader::add_steps() {
  for (const Change& change : changes_) {
    const auto add = [&](Direction direction) {
      case_.bandwidth_steps.push_back({.channel = case_.topology.channel({change.link, direction}),
                                       .bandwidth = change.bandwidth,
                                       .at = change.at});
    };
    add(Direction::forward);
    if (network_.links[change.link].duplex == Duplex::full) add(Direction::backward);
  }
}

void CaseReader::read_flows(Fields& fields) {
  const bool listed =
      fields.items({"flows", "What is sent.", Need::required}, [&](Fields& element) {
        element.table({"", "One flow."}, [&](Fields& flow) { read_flow(flow); });
      });
  if (fields.describing()) return;
  if (listed && flows_.size() == 0) fields.problem("flows", "no flow", "at least one", {});
  find_awaited();
  refuse_circle();
  case_.names = flows_.take();
}

void CaseReader::read_flow(Fields& flow) {
  std::string name;
  read_name(flow, {"name", "What others call it.", Need::required}, name);
  if (!flows_.add(name) && !name.empty()) {
    flow.problem("name", in_quotes(name) + " twice", "names that differ");
  }
  const Ends ends{.from = read_host(flow, {"from", "The host that sends.", needed(flow)}),
                  .to = read_host(flow, {"to", "The host that receives.", needed(flow)})};
  PlannedFlow planned;
  double bytes = 0.0;
  double limit = unlimited.count();
  flow.number({"bytes", "How much is sent.", Need::required}, not_negative, bytes);
  flow.number({"max_rate_Bps", "The flow's own limit, in bytes per second; none if left out."},
              positive, limit);
  planned.size = Bytes{bytes};
  planned.limit = BytesPerSecond{limit};
  read_start(flow, planned);
  planned.route = read_route(flow, ends);
  case_.flows.push_back(std::move(planned));
  case_.answers.push_back(
      read_answer(flow, {"finish_s", "When its last byte should have arrived, in seconds."}));
}

std::optional<NodeIndex> CaseReader::read_host(Fields& flow, const Key& key) {
  std::string name;
  read_name(flow, key, name);
  if (given_ || name.empty()) return std::nullopt;
  const std::optional<NodeIndex> node = nodes_.find(name);
  if (node && *node < network_.hosts) return node;
  flow.problem(key.name, node ? fmt::format("switch {}", in_quotes(name)) : in_quotes(name),
               "a host of this case", node ? std::string{} : nodes_.suggest(name));
  return std::nullopt;
}

void CaseReader::read_start(Fields& flow, PlannedFlow& planned) {
  double start = 0.0;
  double delay = 0.0;
  flow.one_of(std::array<std::string_view, 2>{"start_s", "after"}, Need::required);
  flow.number({"start_s", "When it is asked for, in seconds."}, time_range, start);
  const bool follows =
      flow.items({"after", "Names of flows; it is asked for once the last of them has finished."},
                 [&](Fields& element) {
                   std::string name;
                   read_name(element, {"", "A flow of this case."}, name);
                   if (name.empty()) return;
                   if (const std::optional<std::uint32_t> before = flows_.find(name);
                       before && *before + 1 < flows_.size()) {
                     planned.after.push_back(*before);
                   } else {
                     awaited_.push_back({.by = flows_.size() - 1,
                                         .name = name,
                                         .where = element.where({}),
                                         .path = element.path({})});
                   }
                 });
  const bool delayed =
      flow.number({"delay_s", "So many seconds after that; 0 if left out."}, time_range, delay);
  if (delayed && !follows) flow.problem("delay_s", "no after", "after and delay_s, or start_s", {});
  planned.start = Seconds{follows ? delay : start};
}

// Without a sound network, or with ends that nobody knows, there is nothing to say about ways.
Route CaseReader::read_route(Fields& flow, const Ends& ends) {
  std::vector<Hop> hops;
  bool known = true;
  const bool listed = flow.items(
      {"route",
       "Links in order, each with its direction: \"l0>\" from its `from` to its `to`, \"l0<\" the "
       "other way. The fewest links if left out.",
       given_ ? Need::required : Need::optional},
      [&](Fields& step) { known = read_hop(step, hops) && known; });
  if (flow.describing() || !sound_ || !known) return {};
  if (given_) return case_.topology.along(hops);
  if (!ends.from || !ends.to) return {};
  const std::optional<Route>& own = own_route(*ends.from, *ends.to);
  if (listed) {
    check_way(flow, hops, ends);
    Route route = case_.topology.along(hops);
    if (route != own) case_.detours.push_back(flows_.size() - 1);
    return route;
  }
  if (own) return *own;
  flow.problem("to",
               fmt::format("no way from {} to {}", in_quotes(nodes_[*ends.from]),
                           in_quotes(nodes_[*ends.to])),
               "hosts that links and switches join", {});
  return {};
}

bool CaseReader::read_hop(Fields& step, std::vector<Hop>& hops) {
  std::string text;
  step.parsed({"", "A link and its direction."}, "a link and its direction, \"l0>\" or \"l0<\"",
              "^.+[<>]$", [&](std::string_view word) {
                if (word.size() < 2 || (word.back() != '>' && word.back() != '<')) return false;
                text = word;
                return true;
              });
  if (text.empty()) return false;
  const std::string name = text.substr(0, text.size() - 1);
  const std::optional<LinkIndex> link = links_.find(name);
  if (!link) {
    const std::string close = links_.suggest(name);
    step.problem({}, in_quotes(text), "a link of this case and its direction",
                 close.empty() ? close : close + text.back());
    return false;
  }
  hops.push_back({*link, text.back() == '>' ? Direction::forward : Direction::backward});
  return true;
}

void CaseReader::check_way(Fields& flow, const std::vector<Hop>& hops, const Ends& ends) const {
  NodeIndex at = *ends.from;
  bool whole = true;
  for (const Hop& hop : hops) {
    const Link& link = network_.links[hop.link];
    const bool forward = hop.direction == Direction::forward;
    whole = (forward ? link.from : link.to) == at;
    if (!whole) break;
    at = forward ? link.to : link.from;
  }
  if (whole && at == *ends.to) return;
  flow.problem(
      "route",
      fmt::format("a way that {} at {}", whole ? "ends" : "breaks off", in_quotes(nodes_[at])),
      fmt::format("one from {} to {}", in_quotes(nodes_[*ends.from]), in_quotes(nodes_[*ends.to])),
      {});
}

const std::optional<Route>& CaseReader::own_route(NodeIndex from, NodeIndex to) {
  const auto [place, fresh] = own_routes_.try_emplace({from, to});
  if (fresh) place->second = case_.topology.route(from, to);
  return place->second;
}

void CaseReader::find_awaited() {
  for (Awaited& awaited : awaited_) {
    awaited.flow = flows_.find(awaited.name);
    if (awaited.flow) {
      case_.flows[awaited.by].after.push_back(*awaited.flow);
    } else {
      file_late({awaited.where, awaited.path, in_quotes(awaited.name), "a flow of this case",
                 flows_.suggest(awaited.name)});
    }
  }
}

// A circle has at least one flow that waits for itself or for one further down.
void CaseReader::refuse_circle() {
  if (awaited_.empty()) return;
  const std::vector<std::size_t> circle = waiting_circle(case_.flows);
  if (circle.empty()) return;
  constexpr std::size_t most_names = 4;
  std::string words;
  for (std::size_t i = 0; i < std::min(circle.size(), most_names); ++i) {
    words += in_quotes(flows_[circle[i]]) + " after ";
  }
  words += circle.size() > most_names ? "..." : in_quotes(flows_[circle.front()]);
  const auto closing = std::ranges::find_if(awaited_, [&](const Awaited& awaited) {
    const auto by = std::ranges::find(circle, awaited.by);
    if (by == circle.end()) return false;
    return awaited.flow == (by + 1 == circle.end() ? circle.front() : *(by + 1));
  });
  file_late({closing->where, closing->path, words, "flows that do not wait for themselves", {}});
}

void CaseReader::file_late(Problem problem) {
  constexpr std::size_t most = 1000;  // as many as anybody reads
  if (late_.size() < most) late_.push_back(std::move(problem));
}

}  // namespace

void read_case(Fields& fields, FlowCase& result, std::vector<Problem>& late) {
  CaseReader{result, late}.read(fields);
}

}  // namespace dbsim
