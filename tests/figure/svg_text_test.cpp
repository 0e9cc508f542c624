#include "sim/figure/svg_text.hpp"

#include "tests/catch.hpp"

using namespace dbsim;
using Lines = std::vector<std::string>;

TEST_CASE("text is escaped, and what XML forbids is replaced", "[figure]") {
  CHECK(escaped("a<b & \"c\">") == "a&lt;b &amp; &quot;c&quot;&gt;");
  CHECK(escaped("é × …") == "é × …");
  CHECK(escaped("a\nb\tc") == "a b c");
  CHECK(escaped(std::string("\x01\x00\x1b", 3)) == "\uFFFD\uFFFD\uFFFD");
  CHECK(escaped("x\xEF\xBF\xBEy\xEF\xBF\xBF") == "x\uFFFDy\uFFFD");
}

TEST_CASE("pixels have two decimals at most", "[figure]") {
  CHECK(pixels(12.5) == "12.5");
  CHECK(pixels(3.0) == "3");
  CHECK(pixels(100.0) == "100");
  CHECK(pixels(0.126) == "0.13");
  CHECK(pixels(-0.001) == "0");
}

TEST_CASE("long text is wrapped at spaces and long words are cut between characters", "[figure]") {
  CHECK(wrapped("one two three", 1000.0, 12.0) == Lines{"one two three"});
  CHECK(wrapped("", 100.0, 12.0).empty());
  for (const std::string& line : wrapped("one two three four five six", 60.0, 12.0)) {
    CHECK(text_width(line, 12.0) <= 60.0);
  }
  const std::string word = cut("ééééééééééééééééééééééé", 60.0, 12.0);
  CHECK(text_width(word, 12.0) <= 60.0);
  CHECK(word.substr(word.size() - 3) == "…");
  CHECK((word.size() - 3) % 2 == 0);
}
