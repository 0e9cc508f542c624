#pragma once
// Traces made by hand, for tests that know what must come out.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/report/results.hpp"

namespace dbsim::sample {

/// One worker over one epoch, times in milliseconds; it waits as long as the longest own time
/// exceeds its own.
struct Row {
  std::int64_t batch;
  std::int64_t own_ms;
};

/// Appends an epoch of one step per worker and `communication_ms` of all-reduce.
void add_epoch(RunTrace& run, const std::vector<Row>& rows, std::int64_t communication_ms);

/// The given epochs, one after the other.
[[nodiscard]] RunTrace run_of(const std::vector<std::string>& workers,
                              const std::vector<std::vector<Row>>& epochs,
                              std::int64_t communication_ms);

/// Two fast workers and a slow one under "fixed" and "dbs", two epochs, two repeats, round numbers:
/// fixed takes 2.2 s and 2.2 s, dbs 1.6 s and 1.62 s.
[[nodiscard]] RunSet small_run_set();

/// The four-card example of the documentation, in shape: "fixed", "dbs", "as published" and
/// "oracle".
[[nodiscard]] RunSet four_cards();

/// `count` workers in two families, every one with another batch.
[[nodiscard]] RunSet many_workers(std::size_t count);

/// The same runs with every time multiplied by a whole factor.
[[nodiscard]] RunSet slowed_down(RunSet runs, std::int64_t factor);

}  // namespace dbsim::sample
