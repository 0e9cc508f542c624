#include "sim/scenario/moment.hpp"

#include <regex>
#include <string>

#include "tests/catch.hpp"

using namespace dbsim;

TEST_CASE("a moment is an epoch or a time", "[moment]") {
  CHECK(parse_moment("epoch 4") == Moment{EpochStart{4}});
  CHECK(parse_moment("120 s") == Moment{Seconds{120.0}});
  CHECK(parse_moment("1.5 min") == Moment{Seconds{90.0}});
  CHECK(parse_moment("0 s") == Moment{Seconds{0.0}});
}

TEST_CASE("what is neither is refused, and the published pattern agrees", "[moment]") {
  const std::regex pattern{std::string{moment_pattern}};
  for (const char* text :
       {"epoch", "epoch -1", "epoch 1.5", "epoch 4 ", "4", "-3 s", "3 parsecs", ""}) {
    CAPTURE(text);
    CHECK_FALSE(parse_moment(text).has_value());
    CHECK_FALSE(std::regex_match(text, pattern));
  }
  for (const char* text : {"epoch 0", "epoch 12", "120 s", "1.5 min", "3h", "1e3 ms"}) {
    CAPTURE(text);
    CHECK(parse_moment(text).has_value());
    CHECK(std::regex_match(text, pattern));
  }
}

TEST_CASE("a moment that is printed can be read again", "[moment]") {
  for (const char* text : {"epoch 7", "250 ms", "12.5 s"}) {
    CHECK(parse_moment(to_text(*parse_moment(text))) == parse_moment(text));
  }
}
