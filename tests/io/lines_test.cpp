#include "sim/io/lines.hpp"

#include <string>

#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

TEST_CASE("lines end as on any system, and count from 1", "[io]") {
  const std::vector<Line> lines = lines_of(
      "\xEF\xBB\xBF"
      "a\r\n\nb");
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].text == "a");
  CHECK(lines[1].text.empty());
  CHECK(lines[2].text == "b");
  CHECK(lines[2].number == 3);
  CHECK(lines_of("a\n").size() == 1);
  CHECK(lines_of("").empty());
}

TEST_CASE("words know the column that an editor shows", "[io]") {
  const std::vector<Word> words = words_of("\t\xC3\xA4\xC3\xB6  12 x ");
  REQUIRE(words.size() == 3);
  CHECK(words[0].column == 2);
  CHECK(words[1].text == "12");
  CHECK(words[1].column == 6);
  CHECK(words[2].column == 9);
  CHECK(words_of(" \t").empty());
  const std::vector<Word> cells = split_at(" \xC3\xA4 ,,\tb", ',');
  REQUIRE(cells.size() == 3);
  CHECK(cells[0].column == 2);
  CHECK(cells[1].text.empty());
  CHECK(cells[1].column == 5);
  CHECK(cells[2].text == "b");
  CHECK(cells[2].column == 7);
}

TEST_CASE("no text is lost between words, whatever the blanks", "[io]") {
  RandomStream draws{5};
  const std::string alphabet = "ab1 \t ";
  for (int round = 0; round < 1000; ++round) {
    std::string line;
    std::string solid;
    for (std::int64_t left = draws.whole(0, 20); left > 0; --left) {
      line += alphabet[static_cast<std::size_t>(
          draws.whole(0, static_cast<std::int64_t>(alphabet.size()) - 1))];
      if (line.back() != ' ' && line.back() != '\t') solid += line.back();
    }
    std::string joined;
    for (const Word& word : words_of(line)) {
      CHECK(line.substr(static_cast<std::size_t>(word.column) - 1, word.text.size()) == word.text);
      joined += word.text;
    }
    CHECK(joined == solid);
  }
}

TEST_CASE("a number is the whole text and finite", "[io]") {
  CHECK(parse_number("1e-3") == 0.001);
  CHECK(parse_number("-2") == -2.0);
  for (const char* text : {"", "1 ", "+1", "1,5", "nan", "inf", "1e999", "0x10", "12us"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_number(text));
    CHECK_FALSE(parse_whole(text));
  }
  CHECK(parse_whole("9007199254740993") == 9'007'199'254'740'993);
  CHECK_FALSE(parse_whole("1e3"));
  CHECK_FALSE(parse_whole("99999999999999999999"));
}
