#include "sim/program/progress.hpp"

#include "tests/catch.hpp"

using namespace dbsim;

TEST_CASE("the bar is filled as far as the work is done", "[progress]") {
  CHECK(progress_line({.fraction = 0.0, .text = "0/4 runs"}, 79) ==
        "[                              ] 0/4 runs");
  CHECK(progress_line({.fraction = 0.5, .text = "2/4 runs"}, 79) ==
        "[===============               ] 2/4 runs");
  CHECK(progress_line({.fraction = 1.0, .text = "4/4 runs"}, 79) ==
        "[==============================] 4/4 runs");
}

TEST_CASE("a fraction out of range fills nothing but the bar", "[progress]") {
  CHECK(progress_line({.fraction = -1.0, .text = ""}, 79) == "[                              ] ");
  CHECK(progress_line({.fraction = 7.0, .text = ""}, 79) == "[==============================] ");
}

TEST_CASE("the line never wraps", "[progress]") {
  CHECK(progress_line({.fraction = 0.5, .text = std::string(200, 'x')}, 79).size() == 79);
}
