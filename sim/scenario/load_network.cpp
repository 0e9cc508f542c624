#include "sim/scenario/load_network.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "sim/io/files.hpp"
#include "sim/network/network_document.hpp"
#include "sim/scenario/graph_file.hpp"
#include "sim/scenario/measured_network.hpp"
#include "sim/scenario/network_files.hpp"

namespace dbsim {

namespace {

void use_measured(const NetworkDocument& document, const Placed<std::string>& file,
                  PlayedNetwork& played, std::vector<Problem>& problems) {
  const auto refuse = [&](std::string found, std::string expected) {
    problems.push_back({file.where, file.path, std::move(found), std::move(expected), {}});
  };
  if (document.ranks() < 2) {
    refuse("a network of one rank", "one that at least two ranks measured");
  } else if (!document.fit && document.points.size() < 2) {
    refuse("a network file with one size and no fit", "two sizes at least");
  } else {
    MeasuredNetwork network = star_of(document);
    played.topology = network.star;
    played.messages.efficiency = std::move(network.efficiency);
    played.measured = network.range;
  }
}

}  // namespace

std::string beside(const std::string& scenario_file, const std::string& path) {
  return (std::filesystem::path{scenario_file}.parent_path() / path).lexically_normal().string();
}

void read_file(const Placed<std::string>& file, std::string_view kind,
               const std::function<void()>& read, std::vector<Problem>& problems) {
  try {
    read();
  } catch (const InputError& error) {
    problems.push_back({file.where,
                        file.path,
                        fmt::format("\"{}\"", file.value),
                        fmt::format("{} that can be read", kind),
                        {}});
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
}

PlayedNetwork played_network(ScenarioDraft& draft, const std::string& scenario_file,
                             std::vector<Problem>& problems) {
  TopologyDraft& topology = draft.topology;
  const auto path_of = [&](const Placed<std::string>& file) {
    return beside(scenario_file, file.value);
  };
  PlayedNetwork played{.topology = topology.spec.value_or(TopologySpec{}),
                       .messages = draft.messages.spec};
  if (const auto& file = topology.graph) {
    const auto read = [&] {
      Graph graph = read_graph(Document::load(path_of(*file)));
      played.topology = std::move(graph.network);
      topology.hosts = std::move(graph.hosts);
    };
    read_file(*file, "a graph", read, problems);
  }
  if (const auto& file = topology.measured) {
    const auto read = [&] {
      use_measured(load_network_document(path_of(*file)), *file, played, problems);
    };
    read_file(*file, "a network file", read, problems);
  }
  if (const auto& file = draft.messages.jitter_samples) {
    const auto read = [&] {
      const std::string path = path_of(*file);
      played.messages.jitter = MeasuredDelay{read_delays(read_text_file(path), path)};
    };
    read_file(*file, "a file of delays", read, problems);
  }
  return played;
}

}  // namespace dbsim
