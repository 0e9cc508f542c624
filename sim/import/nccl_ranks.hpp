#pragma once
// Who took part in a run of nccl-tests, as it lists them itself.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/import/nccl_tests.hpp"

namespace dbsim {

struct NcclRank {
  std::int64_t number{};
  std::int64_t group{};   // operations run within a group, in all groups at once
  std::int64_t count{1};  // how many ranks the entry stands for
  std::string host;
  std::string device;
};

class NcclRanks {
 public:
  /// A rank that was listed before is passed over.
  void add(const NcclRank& rank);
  /// Ranks per host of the first rank's group, the devices' names, and a remark where there are
  /// more groups.
  void describe(NcclTests& tests) const;

 private:
  std::map<std::int64_t, NcclRank> ranks_;  // by number
};

/// NCCL's version code as a version: 22809 is 2.28.9, as 2604 is 2.6.4.
[[nodiscard]] std::string nccl_version_text(std::int64_t code);

}  // namespace dbsim
