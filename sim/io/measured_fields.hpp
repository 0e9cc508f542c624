#pragma once
// Fields of files that hold measurements: values that may be missing, intervals, repetitions.
#include <cstdint>
#include <optional>

#include "sim/io/fields.hpp"

namespace dbsim {

/// Empty unless the key is present and its value good. The range must not go below zero.
[[nodiscard]] std::optional<double> read_number(Fields& fields, const Key& key,
                                                const NumberRange& range);
/// The same in bytes.
[[nodiscard]] std::optional<Bytes> read_bytes(Fields& fields, const Key& key,
                                              const NumberRange& range);

/// Two ends of an interval, each of which may be missing.
struct Ends {
  std::optional<double> low;
  std::optional<double> high;
};
/// Files a problem at `low` where it lies above `high`.
[[nodiscard]] Ends read_ends(Fields& fields, const Key& low, const Key& high,
                             const NumberRange& range);

/// The key `repetitions`.
[[nodiscard]] std::optional<std::int64_t> read_repetitions(Fields& fields);

}  // namespace dbsim
