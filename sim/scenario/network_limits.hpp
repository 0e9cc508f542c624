#pragma once
// What a network may measure at most; beyond it is a slip that would only fill the memory.
#include <cstdint>

#include "sim/io/fields.hpp"

namespace dbsim {

inline constexpr std::int64_t most_hosts = 1'000'000;
inline constexpr std::int64_t most_links = 4'000'000;
inline constexpr WholeRange size_range{.least = 1, .most = most_hosts};
inline constexpr NumberRange latency_range{.least = 0.0, .most = 86'400.0};

}  // namespace dbsim
