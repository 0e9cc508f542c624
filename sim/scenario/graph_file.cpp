#include "sim/scenario/graph_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "sim/io/nearest.hpp"
#include "sim/scenario/network_limits.hpp"

namespace dbsim {

namespace {

GraphDraft::Nodes read_nodes(Fields& fields) {
  GraphDraft::Nodes nodes;
  fields.text(
      {"name", "Name of the node; with count, of the group: gpu/0, gpu/1, ...", Need::required},
      nodes.name.value);
  place(fields, "name", nodes.name);
  fields.whole({"count", "How many such nodes; 1 if left out."}, size_range, nodes.count);
  return nodes;
}

void describe_host(Fields& fields, GraphDraft& draft) {
  GraphDraft::Nodes host = read_nodes(fields);
  BytesPerSecond cap;
  fields.bandwidth({"cap",
                    "What it sends at most over all its links, and also what it receives; no limit "
                    "but the links if left out."},
                   positive, cap);
  if (cap.count() > 0.0) host.cap = cap;
  draft.hosts.push_back(std::move(host));
}

void describe_link(Fields& fields, GraphDraft& draft) {
  GraphDraft::Links links;
  fields.text(
      {"from", "A node, or a group: each node of the one is then joined to each of the other.",
       Need::required},
      links.from.value);
  place(fields, "from", links.from);
  fields.text(
      {"to", "The other end; the same group joins all of it to each other.", Need::required},
      links.to.value);
  place(fields, "to", links.to);
  fields.whole({"count", "How many such links side by side; 1 if left out."},
               {.least = 1, .most = 1024}, links.count);
  fields.bandwidth({"bandwidth", "Of each link.", Need::required}, positive, links.cable.bandwidth);
  fields.duration({"latency", "Of each link; 0 if left out."}, latency_range, links.cable.latency);
  constexpr std::array<std::string_view, 2> words{"full", "shared"};
  std::string word = "full";
  fields.choice({"duplex",
                 "\"full\": the bandwidth in each direction (the default); \"shared\": both "
                 "directions divide it."},
                words, word);
  links.duplex = word == "shared" ? Duplex::shared : Duplex::full;
  draft.links.push_back(std::move(links));
}

// Nobody reads more problems, and a slip is nearer than so many names.
constexpr std::size_t most_problems = 1000;
constexpr std::size_t words_worth_suggesting = 1000;

// Turns names into places, and says what does not fit.
class Assembly {
 public:
  explicit Assembly(std::vector<Problem>& problems) : problems_{problems} {}

  void add_host(const GraphDraft::Nodes& hosts) {
    const std::size_t first = network().names.size();
    add_nodes(hosts);
    network().hosts = network().names.size();
    for (std::size_t host = first; host < network().hosts; ++host) {
      graph_.hosts.push_back(hosts.name.where);
      if (hosts.cap) network().caps.push_back({static_cast<NodeIndex>(host), *hosts.cap});
    }
  }

  void add_switch(const GraphDraft::Nodes& switches) {
    add_nodes(switches);
    network().switches = network().names.size() - network().hosts;
  }

  void add_links(const GraphDraft::Links& links) {
    const Group from = group_at(links.from);
    const Group to = group_at(links.to);
    if (from.count == 0 || to.count == 0) return;
    if (from.first == to.first && from.count == 1 && to.count == 1) {
      problem(links.to, fmt::format("\"{}\" at both ends", links.to.value), "another node");
      return;
    }
    const double more = static_cast<double>(from.count) * static_cast<double>(to.count) *
                        static_cast<double>(links.count);
    if (static_cast<double>(network().links.size()) + more > most_links) {
      problem(links.from, fmt::format("{:.4g} links", more),
              fmt::format("at most {} in all", most_links));
      return;
    }
    const bool mesh = from.first == to.first && from.count == to.count;
    for (NodeIndex one = from.first; one < from.first + from.count; ++one) {
      for (NodeIndex other = to.first; other < to.first + to.count; ++other) {
        if (one == other || (mesh && other < one)) continue;
        if (!joined_.insert(std::minmax(one, other)).second) {
          problem(links.from,
                  fmt::format("\"{}\" and \"{}\" joined twice", network().names[one],
                              network().names[other]),
                  "one link, with count = 2 for two side by side");
          return;
        }
        for (std::int64_t i = 0; i < links.count; ++i) {
          join(network(), one, other, links.cable);
          network().links.back().duplex = links.duplex;
        }
      }
    }
  }

  Graph finish() && { return std::move(graph_); }

 private:
  struct Group {
    NodeIndex first{};
    NodeIndex count{};
  };

  [[nodiscard]] Network& network() { return graph_.network; }

  template <class T>
  void problem(const Placed<T>& at, std::string found, std::string expected,
               std::string suggestion = {}) {
    if (problems_.size() >= most_problems) return;
    problems_.push_back(
        {at.where, at.path, std::move(found), std::move(expected), std::move(suggestion)});
  }

  void name(const GraphDraft::Nodes& nodes, const std::string& word, Group group) {
    if (groups_.emplace(word, group).second) {
      if (words_.size() < words_worth_suggesting) words_.push_back(word);
      return;
    }
    problem(nodes.name, fmt::format("\"{}\" twice", word), "names that differ");
  }

  void add_nodes(const GraphDraft::Nodes& nodes) {
    const auto first = static_cast<NodeIndex>(network().names.size());
    if (nodes.name.value.empty()) problem(nodes.name, "an empty name", "a name");
    if (first + nodes.count > most_hosts) {
      problem(nodes.name, fmt::format("more than {} nodes", most_hosts), "fewer");
      return;
    }
    name(nodes, nodes.name.value, {first, static_cast<NodeIndex>(nodes.count)});
    for (std::int64_t i = 0; i < nodes.count; ++i) {
      const bool alone = nodes.count == 1;
      network().names.push_back(alone ? nodes.name.value
                                      : fmt::format("{}/{}", nodes.name.value, i));
      if (!alone) name(nodes, network().names.back(), {first + static_cast<NodeIndex>(i), 1});
    }
  }

  Group group_at(const Placed<std::string>& end) {
    const auto found = groups_.find(end.value);
    if (found != groups_.end()) return found->second;
    const std::vector<std::string_view> known(words_.begin(), words_.end());
    problem(end, fmt::format("\"{}\"", end.value), "the name of a host, a switch or a group",
            nearest(end.value, known));
    return {};
  }

  std::vector<Problem>& problems_;
  Graph graph_;
  std::map<std::string, Group> groups_;  // single nodes are groups of one
  std::vector<std::string> words_;       // the first of their names
  std::set<std::pair<NodeIndex, NodeIndex>> joined_;
};

}  // namespace

void describe_graph(Fields& fields, GraphDraft& draft) {
  std::int64_t version = 1;
  fields.whole({"graph", "Version of this format: 1.", Need::required}, {.least = 1, .most = 1},
               version);
  std::string name;
  fields.text({"name", "One line that says what is drawn."}, name);
  fields.items({"host", "Where workers run, in the order of the workers.", Need::required},
               [&](Fields& element) {
                 element.table({"", "A host, or a group of equal ones. Hosts do not forward."},
                               [&](Fields& table) { describe_host(table, draft); });
               });
  fields.items({"switch", "What forwards."}, [&](Fields& element) {
    element.table({"", "A switch, or a group of equal ones."},
                  [&](Fields& table) { draft.switches.push_back(read_nodes(table)); });
  });
  fields.items({"link", "What joins them."}, [&](Fields& element) {
    element.table({"", "A link, or equal ones between two groups."},
                  [&](Fields& table) { describe_link(table, draft); });
  });
}

Graph read_graph(const Document& document) {
  GraphDraft draft;
  std::vector<Problem> problems;
  document.read([&](Fields& fields) { describe_graph(fields, draft); }, problems);
  if (!problems.empty()) throw InputError{std::move(problems)};
  Assembly assembly{problems};
  for (const GraphDraft::Nodes& hosts : draft.hosts) assembly.add_host(hosts);
  for (const GraphDraft::Nodes& switches : draft.switches) assembly.add_switch(switches);
  for (const GraphDraft::Links& links : draft.links) assembly.add_links(links);
  if (!problems.empty()) throw InputError{std::move(problems)};
  return std::move(assembly).finish();
}

}  // namespace dbsim
