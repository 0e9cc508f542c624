#include "sim/io/opening.hpp"

#include "tests/catch.hpp"

using namespace dbsim;

TEST_CASE("a file's opening sentence ends where it ends, over lines and within one", "[io]") {
  CHECK(opening_sentence("# One line.\nkey = 1\n") == "One line.");
  CHECK(opening_sentence("# Over two\n# lines. More.\n") == "Over two lines.");
  CHECK(opening_sentence("# Version 1.5 of it. More.\n") == "Version 1.5 of it.");
  CHECK(opening_sentence("# No full stop\nkey = 1\n") == "No full stop");
}

TEST_CASE("a file without an opening comment has no opening sentence", "[io]") {
  CHECK(opening_sentence("").empty());
  CHECK(opening_sentence("key = 1 # one\n").empty());
  CHECK(opening_sentence("#").empty());
}
