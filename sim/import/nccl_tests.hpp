#pragma once
// What all_reduce_perf of nccl-tests has measured, read from what it printed or wrote.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/io/value.hpp"

namespace dbsim {

/// A number as printed: the true one lies within `rounding` of it.
struct Printed {
  double value{};
  double rounding{};
};

struct NcclTime {
  Printed seconds;
  std::optional<Printed> algbw;  // bytes per second
  std::optional<Printed> busbw;  // the same
  Position at;                   // where it stands
};

/// Of one message size: the mean time of an operation that leaves its input alone, and of one that
/// overwrites it.
struct NcclRow {
  Bytes size;
  std::optional<NcclTime> out_of_place;
  std::optional<NcclTime> in_place;
};

struct NcclTests {
  std::vector<std::int64_t> ranks_per_host;  // of one group; empty where that is not said
  std::vector<std::string> devices;          // each name once
  std::string nccl_version;
  std::string tests_version;
  std::string date;
  std::optional<std::int64_t> operations;  // that a time is the mean of
  std::vector<NcclRow> rows;               // in the order of the file
  std::vector<std::string> remarks;
};

/// Printed text of any generation, whatever NCCL wrote between its lines, or JSON (-J). InputError
/// with all that is wrong; `file` is named in messages.
[[nodiscard]] NcclTests parse_nccl_tests(std::string_view text, const std::string& file);

}  // namespace dbsim
