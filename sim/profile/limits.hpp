#pragma once
// What profile files and profiles inside a scenario allow alike.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/step_time_curve.hpp"
#include "sim/io/fields.hpp"

namespace dbsim {

inline constexpr WholeRange batch_range{.least = 1, .most = 1'000'000'000};
inline constexpr NumberRange spread_range{.least = 0.0, .most = 10.0};
// Of n measured times it is at most the root of n; a disturbed machine comes near that.
inline constexpr NumberRange measured_cv_range{.least = 0.0, .most = 1'000.0};

// Positive and short of a day: longer steps are slips of the unit, and would overflow simulated
// time.
inline constexpr NumberRange step_time_range{
    .least = 0.0, .most = 86'400.0, .lower = NumberRange::Lower::open};
inline constexpr NumberRange part_time_range{.least = 0.0, .most = 86'400.0};

void read_max_batch(Fields& fields, std::optional<Samples>& max_batch);
/// Files a problem at `key` unless there are two batches at least, and they rise.
void check_batches(Fields& fields, std::string_view key, const std::vector<Samples>& batches);

}  // namespace dbsim
