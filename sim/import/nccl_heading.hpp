#pragma once
// The heading of the table that all_reduce_perf prints: which number is what, in which unit.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/io/lines.hpp"

namespace dbsim {

/// Columns of one group: of the operation out of place, or in place.
struct NcclGroup {
  std::size_t time{};
  std::optional<std::size_t> algbw;
  std::optional<std::size_t> busbw;
};

struct NcclHeading {
  std::vector<std::string> columns;  // in the order of the values in a row
  std::vector<double> units;         // of each: bytes, seconds, bytes per second
  std::size_t size{};
  std::size_t count{};
  std::optional<NcclGroup> out_of_place;
  std::optional<NcclGroup> in_place;
};

/// Whether a comment's words are names of columns.
[[nodiscard]] bool is_nccl_heading(const std::vector<Word>& words);

/// `labels` are the groups' names, from the line before, from left to right; where there are none,
/// out of place comes first. Problems say nothing of the file and the line.
[[nodiscard]] NcclHeading read_nccl_heading(const std::vector<Word>& words,
                                            const std::vector<std::string>& labels,
                                            std::vector<Problem>& problems);
/// The line below, with a unit in brackets for each column that has one.
void read_nccl_units(const std::vector<Word>& words, NcclHeading& heading,
                     std::vector<Problem>& problems);

}  // namespace dbsim
