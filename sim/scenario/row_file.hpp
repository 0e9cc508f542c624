#pragma once
// Tables in plain text that a scenario names: a first line with the names of the columns, then one
// row a line, cells between commas. Lines that begin with # are comments.
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/io/fields.hpp"

namespace dbsim {

struct RowColumn {
  std::string_view name;
  Need need = Need::required;
};

struct RowCell {
  std::string_view column;
  std::string_view text;  // empty where an optional cell is left out
  Where where;
};

/// Calls `row` for each row, with a cell for each of `columns`, in their order, whatever the order
/// in the text. Files what is wrong with the form; rows of another length are not handed out.
void read_rows(std::string_view text, const std::string& file, std::span<const RowColumn> columns,
               const std::function<void(std::span<const RowCell>)>& row,
               std::vector<Problem>& problems);

/// Empty, and a problem, unless the cell holds such a quantity, which is not negative.
[[nodiscard]] std::optional<Seconds> duration_in(const RowCell& cell,
                                                 std::vector<Problem>& problems);
[[nodiscard]] std::optional<Bytes> size_in(const RowCell& cell, std::vector<Problem>& problems);
[[nodiscard]] std::optional<BytesPerSecond> bandwidth_in(const RowCell& cell,
                                                         std::vector<Problem>& problems);

}  // namespace dbsim
