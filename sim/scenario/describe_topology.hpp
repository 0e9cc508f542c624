#pragma once
// The keys that give a network its form.
#include <array>
#include <string_view>

#include "sim/io/fields.hpp"
#include "sim/scenario/draft.hpp"

namespace dbsim {

/// Exactly one of them is given.
inline constexpr std::array<std::string_view, 9> network_kinds{
    "fixed", "star", "leaf_spine", "fat_tree", "dragonfly", "torus", "nodes", "graph", "measured"};

/// All of them but `fixed`.
void describe_topology(Fields& network, TopologyDraft& draft);

}  // namespace dbsim
