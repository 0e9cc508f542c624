#pragma once
// A scenario in, results out: what `dbsim run` does between reading and printing.
#include <cstddef>
#include <functional>
#include <stop_token>

#include "sim/policy/catalog.hpp"
#include "sim/report/results.hpp"
#include "sim/scenario/scenario.hpp"

namespace dbsim {

struct PredictionOptions {
  std::size_t threads{1};
  std::stop_token stop{};
  std::function<void(std::size_t)> on_run_done{};
};

/// Simulates every policy in every repeat. When stopped early: the repeats that all policies
/// completed, perhaps none.
[[nodiscard]] RunSet predict(const Scenario& scenario, Catalog catalog,
                             const PredictionOptions& options);

}  // namespace dbsim
