#pragma once
// Runs from beginning to end: one, or many side by side on several threads.
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/model/setup.hpp"
#include "sim/policy/policy.hpp"
#include "sim/policy/terms.hpp"
#include "sim/trace/trace.hpp"

namespace dbsim {

/// The whole run. Same setup, policy and streams: same trace, to the byte.
[[nodiscard]] RunTrace simulate(const Setup& setup, std::unique_ptr<Policy> policy,
                                const RandomStreams& streams, const PolicyTerms& terms = {});

struct RunTask {
  std::function<std::unique_ptr<Policy>()> make_policy;
  RandomStreams streams;
  PolicyTerms terms{};
};

struct Watcher {
  std::stop_token stop;  // requested: no new run begins, runs under way are given up
  std::function<void(std::size_t)>
      on_done;  // called with the number of finished runs, from any thread
};

/// Runs all tasks on `threads` threads, taken in order; the result does not depend on their number.
/// A run that was given up is empty. The first exception of a run is thrown after all threads have
/// stopped.
[[nodiscard]] std::vector<std::optional<RunTrace>> simulate_all(const Setup& setup,
                                                                std::span<const RunTask> tasks,
                                                                std::size_t threads,
                                                                const Watcher& watcher = {});

/// What a reader should know before believing a run: batches outside the measured range of a
/// profile, step times that fall as the batch grows. Worker groups are named once.
[[nodiscard]] std::vector<std::string> warnings_about(const Setup& setup, const RunTrace& trace);

}  // namespace dbsim
