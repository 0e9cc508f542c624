#pragma once
// What is added up: random numbers that every rank can tell of every other, so that sums can be
// checked where they arrive. A block of them repeats through the message.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dbsim::calib {

inline constexpr std::size_t payload_block = 1U << 20U;  // floats

/// Between 0.5 and 1.5: sums neither vanish nor overflow.
[[nodiscard]] float payload_value(int rank, std::size_t index);
/// `count` values of a rank from index 0, at most a block.
[[nodiscard]] std::vector<float> payload(int rank, std::size_t count);
/// Whether the sums of `ranks` payloads stand there, as far as float can tell in any order of
/// adding. Long messages are looked at in about a thousand places.
[[nodiscard]] bool are_payload_sums(std::span<const float> sums, int ranks);

}  // namespace dbsim::calib
