#pragma once
// From a document to a scenario: read, checked as a whole, profiles loaded.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/io/document.hpp"
#include "sim/scenario/draft.hpp"
#include "sim/scenario/scenario.hpp"

namespace dbsim {

/// What the command line says instead of the file.
struct Overrides {
  std::optional<std::uint64_t> seed;
  std::optional<std::size_t> repeats;
  std::vector<std::string>
      policies;  // labels in the file, or names in the catalog; empty: the file's
  std::optional<std::string> baseline;
};

/// Throws InputError with every problem of the scenario and of the profiles it names. Profile paths
/// are relative to the scenario's own folder.
[[nodiscard]] Scenario load_scenario(const Document& document, Catalog catalog,
                                     const Overrides& overrides = {});

/// The checks that need more than one key, and the interference, whose workers they look up. Never
/// stops at the first problem.
void check_scenario(Scenario& scenario, const ScenarioDraft& draft, Catalog catalog,
                    std::vector<Problem>& problems);

}  // namespace dbsim
