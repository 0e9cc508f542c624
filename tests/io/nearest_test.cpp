#include "sim/io/nearest.hpp"

#include <array>

#include "tests/catch.hpp"

namespace dbsim {
namespace {

constexpr std::array<std::string_view, 8> keys{"device",  "global_batch",    "samples",
                                               "latency", "bandwidth",       "star",
                                               "seed",    "parameter-server"};

TEST_CASE("likely slips find the word that was meant", "[io]") {
  CHECK(nearest("devise", keys) == "device");
  CHECK(nearest("globl_batch", keys) == "global_batch");
  CHECK(nearest("global-batch", keys) == "global_batch");
  CHECK(nearest("sampels", keys) == "samples");
  CHECK(nearest("latnecy", keys) == "latency");
  CHECK(nearest("bandwith", keys) == "bandwidth");
  CHECK(nearest("sede", keys) == "seed");
  CHECK(nearest("parameter_server", keys) == "parameter-server");
}

TEST_CASE("case does not count", "[io]") {
  CHECK(nearest("DEVICE", keys) == "device");
  CHECK(nearest("Star", keys) == "star");
}

TEST_CASE("neighbouring letters swapped are one slip", "[io]") {
  constexpr std::array<std::string_view, 1> known{"ab"};
  CHECK(nearest("ba", known) == "ab");
}

TEST_CASE("a word too far from all is not guessed at", "[io]") {
  CHECK(nearest("gpu", keys).empty());
  CHECK(nearest("x", keys).empty());
  CHECK(nearest("", keys).empty());
  CHECK(nearest("throughput", keys).empty());
  CHECK(nearest("star", {}).empty());
}

TEST_CASE("nothing is left of a word when every letter differs", "[io]") {
  constexpr std::array<std::string_view, 1> known{"a"};
  CHECK(nearest("b", known).empty());
}

TEST_CASE("of equally near words the first wins", "[io]") {
  constexpr std::array<std::string_view, 2> known{"rack", "race"};
  CHECK(nearest("racx", known) == "rack");
}

TEST_CASE("a very long word costs nothing and suggests nothing", "[io]") {
  const std::string word(1'000'000, 's');
  CHECK(nearest(word, keys).empty());
}

}  // namespace
}  // namespace dbsim
