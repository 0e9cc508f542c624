#pragma once
// Runs of nccl-tests that never took place, written down as its versions do.
#include <cstddef>
#include <string>
#include <vector>

namespace dbsim::test {

/// An all-reduce takes latency + size / rate, in place; out of place a twentieth longer.
struct NcclRun {
  int hosts{2};
  int ranks_on_host{4};
  double latency_us{20.0};
  double bytes_per_us{5000.0};
  std::vector<double> sizes{8,       1024,      4096,       65536,      262144,
                            1048576, 4'194'304, 16'777'216, 67'108'864, 268'435'456};

  [[nodiscard]] int ranks() const { return hosts * ranks_on_host; }
  [[nodiscard]] double in_place_us(double size) const { return latency_us + size / bytes_per_us; }
};

/// The lines of the three ways to write it.
[[nodiscard]] std::vector<std::string> old_heading(const NcclRun& run);
[[nodiscard]] std::vector<std::string> old_rows(const NcclRun& run);
[[nodiscard]] std::vector<std::string> new_heading(const NcclRun& run);
[[nodiscard]] std::vector<std::string> new_rows(const NcclRun& run);
[[nodiscard]] std::string json_of(const NcclRun& run);

[[nodiscard]] std::string joined(const std::vector<std::string>& lines);
[[nodiscard]] std::string old_text(const NcclRun& run);
[[nodiscard]] std::string new_text(const NcclRun& run);

}  // namespace dbsim::test
