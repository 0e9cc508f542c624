#include "sim/model/turn_order.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

std::vector<ChannelIndex> all_taken(TurnOrder& turns) {
  std::vector<ChannelIndex> taken;
  while (!turns.empty()) taken.push_back(turns.take_first());
  return taken;
}

}  // namespace

TEST_CASE("every marked channel is taken once, and no other", "[turn_order]") {
  for (const std::size_t channels : {0U, 1U, 63U, 64U, 65U, 4096U, 300'000U}) {
    TurnOrder turns{channels};
    CHECK(turns.empty());
    RandomStream random = RandomStreams{31}.stream("turn-order", "marks");
    std::set<ChannelIndex> marked;
    for (std::size_t i = 0; i < channels; i += 1 + channels / 50) {
      marked.insert(
          static_cast<ChannelIndex>(random.whole(0, static_cast<std::int64_t>(channels) - 1)));
    }
    for (const ChannelIndex channel : marked) turns.mark(channel);
    CHECK(all_taken(turns) == std::vector<ChannelIndex>(marked.begin(), marked.end()));
  }
}

TEST_CASE("channels come by level once their order has been mended often enough", "[turn_order]") {
  constexpr std::size_t channels = 100;
  TurnOrder turns{channels};
  RandomStream random = RandomStreams{32}.stream("turn-order", "levels");
  std::vector<double> levels;
  for (std::size_t i = 0; i < channels; ++i) levels.push_back(random.uniform());
  const auto level_of = [&](ChannelIndex channel) { return levels[channel]; };
  turns.mark(17);  // stays marked wherever it moves
  for (std::size_t round = 0; round < channels; ++round) {
    for (ChannelIndex channel = 0; channel < channels; ++channel) turns.mend(channel, level_of);
  }
  CHECK(all_taken(turns) == std::vector<ChannelIndex>{17});
  for (ChannelIndex channel = 0; channel < channels; ++channel) turns.mark(channel);
  const std::vector<ChannelIndex> order = all_taken(turns);
  CHECK(order.size() == channels);
  CHECK(std::ranges::is_sorted(order, {}, level_of));
}
