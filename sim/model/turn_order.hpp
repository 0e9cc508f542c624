#pragma once
// Which channel is looked at next: of those marked, one of the lowest level.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/topology/topology.hpp"

namespace dbsim {

/// Channels stand in a row sorted roughly by level, with a bit for each that is marked and a bit
/// for each 64 bits that are not all zero, and so on. The order is mended a few places at a time as
/// levels change: it saves work to be right, and costs nothing but work to be wrong.
class TurnOrder {
 public:
  explicit TurnOrder(std::size_t channels);

  [[nodiscard]] bool empty() const { return marked_.back().front() == 0; }
  /// The channel must not be marked.
  void mark(ChannelIndex channel) { set(place_[channel]); }
  /// The marked channel that stands first, no longer marked. There must be one.
  [[nodiscard]] ChannelIndex take_first();
  /// Its level has changed; `level_of` has everybody's.
  template <class LevelOf>
  void mend(ChannelIndex channel, const LevelOf& level_of) {
    constexpr int most_steps = 8;
    const double level = level_of(channel);
    std::uint32_t place = place_[channel];
    for (int step = 0; step < most_steps; ++step) {
      if (place > 0 && level_of(channel_[place - 1]) > level) {
        exchange(place, place - 1);
        --place;
      } else if (place + 1 < channel_.size() && level_of(channel_[place + 1]) < level) {
        exchange(place, place + 1);
        ++place;
      } else {
        return;
      }
    }
  }

 private:
  void set(std::size_t place);
  void clear(std::size_t place);
  [[nodiscard]] bool is_set(std::size_t place) const {
    return (marked_.front()[place / 64] >> place % 64 & 1U) != 0;
  }
  void exchange(std::uint32_t a, std::uint32_t b);

  std::vector<std::uint32_t> place_;                // by channel
  std::vector<ChannelIndex> channel_;               // by place
  std::vector<std::vector<std::uint64_t>> marked_;  // by place; each level a bit for 64 of the last
};

}  // namespace dbsim
