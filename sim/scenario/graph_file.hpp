#pragma once
// A network drawn by hand: hosts, switches and links in a file of their own.
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/io/document.hpp"
#include "sim/io/fields.hpp"
#include "sim/scenario/draft.hpp"
#include "sim/topology/network.hpp"

namespace dbsim {

/// A graph as it is read, before its names are known to fit together.
struct GraphDraft {
  struct Nodes {  // one, or a group of equal ones
    Placed<std::string> name;
    std::int64_t count{1};
    std::optional<BytesPerSecond> cap{};
  };
  struct Links {  // between each node of one group and each of another
    Placed<std::string> from;
    Placed<std::string> to;
    std::int64_t count{1};
    Cable cable;
    Duplex duplex{Duplex::full};
  };
  std::vector<Nodes> hosts;
  std::vector<Nodes> switches;
  std::vector<Links> links;
};

/// The keys of a graph file.
void describe_graph(Fields& fields, GraphDraft& draft);

struct Graph {
  Network network;
  std::vector<Where> hosts;  // where each of them is named
};
/// Throws InputError with all that is wrong.
[[nodiscard]] Graph read_graph(const Document& document);

}  // namespace dbsim
