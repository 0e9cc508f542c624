#pragma once
// What can be asked of a group of ranks that add up floats in place.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dbsim::calib {

struct GroupDescription {
  std::vector<std::int64_t> ranks_per_host;
  std::string library;               // with version
  std::vector<std::string> devices;  // that hold the data, each name once
  std::vector<std::string> remarks;
};

/// One object per process. Every function but leads() is called by all processes together, with
/// the same arguments, and returns the same on all of them.
class AllReduce {
 public:
  AllReduce() = default;
  AllReduce(const AllReduce&) = delete;
  AllReduce& operator=(const AllReduce&) = delete;
  virtual ~AllReduce() = default;

  [[nodiscard]] virtual GroupDescription description() = 0;
  /// Whether this process holds rank 0, who decides and writes.
  [[nodiscard]] virtual bool leads() const = 0;
  /// Seconds of each repetition on its slowest rank. Every repetition adds the payload anew and
  /// begins when all ranks are ready.
  [[nodiscard]] virtual std::vector<double> run(std::int64_t bytes, std::size_t repetitions) = 0;
  /// Whether the last run left the right sums on every rank.
  [[nodiscard]] virtual bool sums_are_right() = 0;
  /// What the leader passed.
  [[nodiscard]] virtual bool as_leader_says(bool value) = 0;
};

}  // namespace dbsim::calib
