#include "sim/base/room.hpp"

#include <cstddef>
#include <vector>
#include "tests/catch.hpp"

namespace dbsim {

TEST_CASE("room: at most a fifth of a large vector stays empty, and growing moves few entries") {
  const std::size_t most = GENERATE(std::size_t{1}, std::size_t{9'900}, std::size_t{65'280});
  std::vector<int> entries;
  std::size_t moved = 0;
  while (entries.size() < most) {
    const std::size_t before = entries.capacity();
    make_room(entries);
    if (entries.capacity() != before) moved += entries.size();
    entries.push_back(0);
    REQUIRE(entries.capacity() - entries.size() <= entries.capacity() / 5 + 4);
  }
  CHECK(moved <= 5 * most);  // 1/1.25 + 1/1.25^2 + ... and once, at worst
}

TEST_CASE("room: what has room is left where it is") {
  std::vector<int> entries;
  make_room(entries, 3);
  const std::size_t capacity = entries.capacity();
  REQUIRE(capacity >= 3);
  entries.assign(capacity - 1, 7);
  const int* const place = entries.data();
  make_room(entries);
  CHECK(entries.data() == place);
}

TEST_CASE("room: is for as many as are asked for") {
  std::vector<int> entries(10);
  make_room(entries, 1'000);
  CHECK(entries.capacity() >= 1'010);
  CHECK(entries.size() == 10);
}

}  // namespace dbsim
