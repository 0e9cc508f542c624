#pragma once
// The total order of events, and the digits that it is read by.
#include <bit>
#include <cstddef>
#include <cstdint>

namespace dbsim {

/// The place of an event in the total order.
struct EventOrder {
  std::uint64_t instant{};   // nanoseconds since Instant::min(), so that all bits count upwards
  std::uint64_t sequence{};  // counted from 1 in the order of scheduling; 0 is nobody's
  friend constexpr bool operator==(const EventOrder&, const EventOrder&) = default;
  friend constexpr bool operator<(EventOrder a, EventOrder b) {
    return a.instant < b.instant || (a.instant == b.instant && a.sequence < b.sequence);
  }
  static constexpr EventOrder greatest() { return {~std::uint64_t{0}, ~std::uint64_t{0}}; }
};

/// An order read as 22 digits of 6 bits: 11 of the instant above 11 of the sequence.
/// The level of a digit is its place, counted from the lowest.
namespace order_digits {

inline constexpr std::size_t bits = 6;
inline constexpr std::size_t half = 11;
inline constexpr std::size_t top = 2 * half - 1;

/// Where the digit of a level starts in its half.
constexpr std::size_t shift(std::size_t level) {
  return bits * (level < half ? level : level - half);
}
constexpr unsigned digit(EventOrder order, std::size_t level) {
  const std::uint64_t word = level < half ? order.sequence : order.instant;
  return static_cast<unsigned>(word >> shift(level)) & 63U;
}
constexpr std::size_t high_digit(std::uint64_t word) {
  return static_cast<std::size_t>(std::bit_width(word) - 1) / bits;
}
/// The highest level in which two orders differ; 0 for equal ones.
constexpr std::size_t differing_level(EventOrder a, EventOrder b) {
  const std::uint64_t instant = a.instant ^ b.instant;
  const std::uint64_t sequence = (a.sequence ^ b.sequence) | 1U;
  return instant != 0 ? half + high_digit(instant) : high_digit(sequence);
}
/// The least order that shares all digits above the level and has this one there.
constexpr EventOrder with_digit(EventOrder order, std::size_t level, unsigned digit) {
  std::uint64_t& word = level < half ? order.sequence : order.instant;
  word = (((word >> shift(level) >> bits) << bits) | digit) << shift(level);
  if (level >= half) order.sequence = 0;
  return order;
}
/// The greatest order with these digits down to the level.
constexpr EventOrder last_with_digits(EventOrder order, std::size_t level) {
  std::uint64_t& word = level < half ? order.sequence : order.instant;
  word |= (std::uint64_t{1} << shift(level)) - 1;
  if (level >= half) order.sequence = ~std::uint64_t{0};
  return order;
}

}  // namespace order_digits

}  // namespace dbsim
