#include "sim/model/turn_order.hpp"

#include <bit>
#include <numeric>
#include <utility>

namespace dbsim {

TurnOrder::TurnOrder(std::size_t channels) : place_(channels), channel_(channels) {
  std::iota(place_.begin(), place_.end(), 0U);
  std::iota(channel_.begin(), channel_.end(), 0U);
  std::size_t words = channels;
  do {
    words = words / 64 + 1;
    marked_.emplace_back(words, 0);
  } while (words > 1);
}

ChannelIndex TurnOrder::take_first() {
  std::size_t place = 0;
  for (auto level = marked_.rbegin(); level != marked_.rend(); ++level) {
    place = 64 * place + static_cast<std::size_t>(std::countr_zero((*level)[place]));
  }
  clear(place);
  return channel_[place];
}

void TurnOrder::set(std::size_t place) {
  for (std::vector<std::uint64_t>& words : marked_) {
    std::uint64_t& word = words[place / 64];
    const bool known = word != 0;
    word |= std::uint64_t{1} << place % 64;
    if (known) return;
    place /= 64;
  }
}

void TurnOrder::clear(std::size_t place) {
  for (std::vector<std::uint64_t>& words : marked_) {
    std::uint64_t& word = words[place / 64];
    word &= ~(std::uint64_t{1} << place % 64);
    if (word != 0) return;
    place /= 64;
  }
}

void TurnOrder::exchange(std::uint32_t a, std::uint32_t b) {
  const bool a_marked = is_set(a);
  const bool b_marked = is_set(b);
  if (a_marked != b_marked) {
    clear(a_marked ? a : b);
    set(a_marked ? b : a);
  }
  std::swap(channel_[a], channel_[b]);
  place_[channel_[a]] = a;
  place_[channel_[b]] = b;
}

}  // namespace dbsim
