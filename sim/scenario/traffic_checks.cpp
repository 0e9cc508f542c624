#include "sim/scenario/traffic_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sim/io/files.hpp"
#include "sim/io/nearest.hpp"
#include "sim/scenario/load_network.hpp"
#include "sim/scenario/network_files.hpp"
#include "sim/scenario/row_file.hpp"
#include "sim/scenario/topology_checks.hpp"
#include "sim/scenario/worker_names.hpp"
#include "sim/topology/topology.hpp"

namespace dbsim {

namespace {

class Assembly {
 public:
  Assembly(Scenario& scenario, const ScenarioDraft& draft, std::vector<Problem>& problems)
      : scenario_{scenario},
        draft_{draft},
        problems_{problems},
        played_{std::get<PlayedNetwork>(scenario.network)},
        topology_{build(played_.topology, hosts_needed(scenario))} {
    const auto nodes = static_cast<NodeIndex>(network().hosts + network().switches);
    for (NodeIndex node = 0; node < nodes; ++node) nodes_.emplace(name_of(network(), node), node);
    for (std::size_t host = scenario.workers.size(); host < hosts_needed(scenario); ++host) {
      nodes_.insert_or_assign(fmt::format("server/{}", host - scenario.workers.size()),
                              static_cast<NodeIndex>(host));
    }
    for (std::size_t i = 0; i < scenario.workers.size(); ++i) {
      nodes_.insert_or_assign(scenario.workers[i].name, static_cast<NodeIndex>(i));
    }
  }

  void add_link(const LinkProfileDraft& draft) {
    LinkProfileSpec spec;
    if (draft.worker) spec.links = links_of_workers(*draft.worker);
    if (!draft.worker) spec.links = links_between(draft.ends[0], draft.ends[1]);
    for (const LinkIndex link : spec.links) {
      if (changing_.insert(link).second) continue;
      refuse(draft.profile, "a link that has a profile already", "one for each link");
      break;
    }
    std::optional<Seconds> loop;
    if (draft.loop) loop = draft.loop->value;
    const auto read = [&] {
      const std::string path = path_of(draft.profile);
      spec.profile = read_bandwidth_profile(read_text_file(path), path, loop);
      const Seconds end = spec.profile.lines.back().at;
      if (!loop || *loop > end) return;
      refuse(*draft.loop, to_text(*loop),
             fmt::format("more than {}, the last line of the profile", to_text(end)));
    };
    read_file(draft.profile, "a profile of bandwidths", read, problems_);
    played_.links.push_back(std::move(spec));
  }

  void add_traffic(const TrafficDraft& draft) {
    if (draft.trace) {
      add_trace(*draft.trace);
      return;
    }
    const std::optional<FlowEnds> ends = ends_of(
        {.column = draft.from.path, .text = draft.from.value, .where = draft.from.where},
        {.column = draft.to.path, .text = draft.to.value, .where = draft.to.where}, problems_);
    if (!ends) return;
    const ConstantTraffic flow{.ends = *ends, .limit = draft.limit};
    if (!draft.on) {
      played_.traffic.emplace_back(flow);
      return;
    }
    const std::string pair = fmt::format("{}>{}", draft.from.value, draft.to.value);
    const std::size_t same = ++pairs_[pair];
    played_.traffic.emplace_back(
        OnOffTraffic{.flow = flow,
                     .on = *draft.on,
                     .off = *draft.off,
                     .random = draft.random,
                     .name = same == 1 ? pair : fmt::format("{}#{}", pair, same)});
  }

 private:
  void add_trace(const Placed<std::string>& trace) {
    const auto read = [&] {
      const std::string path = path_of(trace);
      played_.traffic.emplace_back(read_traffic_trace(
          read_text_file(path), path,
          [this](const RowCell& from, const RowCell& to, std::vector<Problem>& problems) {
            return ends_of(from, to, problems);
          }));
    };
    read_file(trace, "a trace of flows", read, problems_);
  }

  template <class Value>
  void refuse(const Placed<Value>& at, std::string found, std::string expected,
              std::string suggestion = {}) {
    problems_.push_back(
        {at.where, at.path, std::move(found), std::move(expected), std::move(suggestion)});
  }

  [[nodiscard]] std::string path_of(const Placed<std::string>& file) const {
    return beside(scenario_.file, file.value);
  }

  // Builders let a host's link begin at the host, as for `link` beside a worker.
  std::vector<LinkIndex> links_of_workers(const Placed<std::string>& name) {
    const std::vector<std::size_t> workers = workers_named(scenario_, name.value);
    if (workers.empty()) {
      refuse(name, fmt::format("\"{}\"", name.value),
             "the name of a worker or of a group of workers",
             nearest(name.value, known_names(scenario_, draft_)));
    } else if (!workers_have_links(played_.topology)) {
      refuse(name, "a worker on this network",
             "network.star, measured, leaf_spine, fat_tree or dragonfly beside it; or ends, two "
             "nodes");
    }
    std::vector<LinkIndex> links;
    for (LinkIndex link = 0; link < network().links.size(); ++link) {
      if (std::ranges::binary_search(workers, network().links[link].from)) links.push_back(link);
    }
    return links;
  }

  std::vector<LinkIndex> links_between(const Placed<std::string>& one,
                                       const Placed<std::string>& other) {
    const auto from = node_at(one);
    const auto to = node_at(other);
    if (!from || !to) return {};
    std::vector<LinkIndex> links;
    for (LinkIndex i = 0; i < network().links.size(); ++i) {
      const Link& link = network().links[i];
      const bool there = link.from == *from && link.to == *to;
      if (there || (link.from == *to && link.to == *from)) links.push_back(i);
    }
    if (links.empty()) {
      refuse(other, fmt::format("\"{}\", which no link joins to \"{}\"", other.value, one.value),
             "the two ends of a link");
    }
    return links;
  }

  std::optional<NodeIndex> node_at(const Placed<std::string>& name) {
    const auto found = nodes_.find(name.value);
    if (found != nodes_.end()) return found->second;
    refuse(name, fmt::format("\"{}\"", name.value), "a worker or a node of the network",
           suggestion(name.value));
    return std::nullopt;
  }

  [[nodiscard]] std::optional<NodeIndex> host_at(const RowCell& name,
                                                 std::vector<Problem>& problems) const {
    const auto found = nodes_.find(name.text);
    if (found != nodes_.end() && found->second < network().hosts) return found->second;
    const bool is_switch = found != nodes_.end();
    problems.push_back({name.where, std::string{name.column},
                        fmt::format("\"{}\"{}", name.text, is_switch ? ", a switch" : ""),
                        "a worker or a host of the network",
                        is_switch ? "" : suggestion(name.text)});
    return std::nullopt;
  }

  [[nodiscard]] std::optional<FlowEnds> ends_of(const RowCell& from_name, const RowCell& to_name,
                                                std::vector<Problem>& problems) const {
    const auto from = host_at(from_name, problems);
    const auto to = host_at(to_name, problems);
    if (!from || !to) return std::nullopt;
    const auto refuse_to = [&](std::string found, std::string expected) {
      problems.push_back(
          {to_name.where, std::string{to_name.column}, std::move(found), std::move(expected), {}});
    };
    if (*from == *to) {
      refuse_to("the host that it comes from", "another one");
    } else if (!topology_.route(*from, *to)) {
      refuse_to(fmt::format("\"{}\", which no path joins to \"{}\"", to_name.text, from_name.text),
                "links and switches between them");
    }
    return FlowEnds{*from, *to};
  }

  [[nodiscard]] const Network& network() const { return topology_.network(); }

  [[nodiscard]] std::string suggestion(std::string_view name) const {
    constexpr std::size_t names_worth_suggesting = 2000;
    std::vector<std::string_view> known;
    for (const auto& [node, index] : nodes_) {
      if (known.size() < names_worth_suggesting) known.push_back(node);
    }
    return nearest(name, known);
  }

  Scenario& scenario_;
  const ScenarioDraft& draft_;
  std::vector<Problem>& problems_;
  PlayedNetwork& played_;
  Topology topology_;
  std::map<std::string, NodeIndex, std::less<>> nodes_;  // workers' names come first
  std::set<LinkIndex> changing_;
  std::map<std::string, std::size_t> pairs_;
};

}  // namespace

void add_traffic(Scenario& scenario, const ScenarioDraft& draft, std::vector<Problem>& problems) {
  if (draft.links.empty() && draft.traffic.empty()) return;
  Assembly assembly{scenario, draft, problems};
  for (const LinkProfileDraft& link : draft.links) assembly.add_link(link);
  for (const TrafficDraft& traffic : draft.traffic) assembly.add_traffic(traffic);
}

}  // namespace dbsim
