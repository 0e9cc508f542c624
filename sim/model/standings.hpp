#pragma once
// Where each channel stands: its level, and what others take of it.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/topology/topology.hpp"

namespace dbsim {

/// A property each, by group, so that a whole row of channels can be told of a change at once.
/// Rows are as long as whole words of 64 bits.
class Standings {
 public:
  explicit Standings(std::size_t groups);

  std::vector<double> level;         // rate over weight of the members; infinite without any
  std::vector<double> taken;         // live: by flows that are not members
  std::vector<double> highest;       // live: no non-member's level is above
  std::vector<std::uint32_t> looks;  // since `taken` was added up

  [[nodiscard]] bool live(ChannelIndex channel) const { return has(live_, channel); }
  void set_live(ChannelIndex channel, bool live) {
    set(live_, channel, live);
    set(unaware_, channel, live && !marked(channel));
  }
  /// Waits for its turn to be looked at.
  [[nodiscard]] bool marked(ChannelIndex channel) const { return has(marked_, channel); }
  void set_marked(ChannelIndex channel, bool marked) {
    set(marked_, channel, marked);
    set(unaware_, channel, live(channel) && !marked);
  }
  /// Live, and not marked: a change of what others take has to mark it.
  [[nodiscard]] bool unaware(ChannelIndex channel) const { return has(unaware_, channel); }
  [[nodiscard]] std::span<const std::uint64_t> unaware() const { return unaware_; }

 private:
  using Bits = std::vector<std::uint64_t>;
  [[nodiscard]] static bool has(const Bits& bits, ChannelIndex channel) {
    return (bits[channel / 64] >> channel % 64 & 1U) != 0;
  }
  static void set(Bits& bits, ChannelIndex channel, bool value) {
    const std::uint64_t bit = std::uint64_t{1} << channel % 64;
    std::uint64_t& word = bits[channel / 64];
    word = value ? word | bit : word & ~bit;
  }

  Bits live_;
  Bits marked_;
  Bits unaware_;
};

/// A channel's members have another level.
struct LevelChange {
  double from;
  double to;
  double bound;  // somebody with a lower level bounds a member
};

/// Tells the channels whose bits are set: more is taken of each, by one flow whose level is now
/// `to`. Whether the level of one of them is below the bound. Every channel's sum is its own, so
/// how many are told at a time makes no difference to the result.
[[nodiscard]] bool tell(std::span<const std::uint64_t> channels, const LevelChange& change,
                        Standings& standings);

struct Above {
  bool any;        // whether a level is above the bound
  double highest;  // of the others' levels
};
/// Of the channels with a bit in `channels` and none in `except`.
[[nodiscard]] Above above(std::span<const std::uint64_t> channels,
                          std::span<const std::uint64_t> except, double bound,
                          const Standings& standings);

}  // namespace dbsim
