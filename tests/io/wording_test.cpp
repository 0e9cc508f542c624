#include "sim/io/wording.hpp"

#include "sim/base/random.hpp"
#include "sim/io/utf8.hpp"
#include "tests/catch.hpp"

namespace dbsim {
namespace {

constexpr auto open = NumberRange::Lower::open;

TEST_CASE("text that would disturb a terminal is shown escaped", "[io]") {
  CHECK(printable("a\nb\tc\rd") == R"(a\nb\tc\rd)");
  CHECK(printable("\x1b[31m") == R"(\u001B[31m)");
  CHECK(printable("\x7f") == R"(\u007F)");
  CHECK(printable("a\xFF\xC3") == R"(a\xFF\xC3)");
  CHECK(printable("\xC2\x9B") == R"(\u009B)");
  CHECK(printable("\u00e9 \u20ac") == "\u00e9 \u20ac");
}

TEST_CASE("long text is cut between characters", "[io]") {
  CHECK(printable(std::string(60, 'x')) == std::string(60, 'x'));
  CHECK(printable(std::string(61, 'x')) == std::string(60, 'x') + "...");
  CHECK(printable(std::string(59, 'x') + "\u20ac.") == std::string(59, 'x') + "...");
}

TEST_CASE("whatever the bytes, what is shown is UTF-8 without control characters", "[io]") {
  RandomStream random{3};
  for (int i = 0; i < 500; ++i) {
    std::string bytes(static_cast<std::size_t>(random.whole(0, 100)), ' ');
    for (char& byte : bytes) byte = static_cast<char>(random.whole(0, 255));
    CHECK_FALSE(first_not_utf8(printable(bytes)));
    for (const char c : printable(bytes)) {
      CHECK((static_cast<unsigned char>(c) >= 0x20U && c != 0x7F));
    }
  }
}

TEST_CASE("keys join to paths, and unusual ones are quoted", "[io]") {
  CHECK(joined_path("", "job") == "job");
  CHECK(joined_path("worker[1]", "count") == "worker[1].count");
  CHECK(joined_path("job", "") == "job");
  CHECK(joined_path("job", "two words") == R"(job."two words")");
  CHECK(path_part("a.b") == R"("a.b")");
}

TEST_CASE("ranges are said in words", "[io]") {
  CHECK(range_words(WholeRange{}).empty());
  CHECK(range_words(at_least_one) == "at least 1");
  CHECK(range_words(WholeRange{.most = 8}) == "at most 8");
  CHECK(range_words(WholeRange{.least = 1, .most = 8}) == "from 1 to 8");
  CHECK(range_words(WholeRange{.least = 1, .most = 1}) == "exactly 1");
  CHECK(range_words(NumberRange{}, plain_words).empty());
  CHECK(range_words(positive, plain_words) == "more than 0");
  CHECK(range_words(not_negative, plain_words) == "at least 0");
  CHECK(range_words({.least = 0.0, .most = 0.5}, plain_words) == "from 0 to 0.5");
  CHECK(range_words({.least = 0.0, .most = 1.0, .lower = open}, plain_words) ==
        "more than 0 and at most 1");
  CHECK(range_words({.most = 2.5}, plain_words) == "at most 2.5");
  CHECK(range_words({.least = 1e-6, .most = 60.0}, seconds_words) == "from 1 us to 60 s");
  CHECK(range_words({.least = 1e6, .lower = open}, bytes_words) == "more than 1 MB");
  CHECK(range_words({.least = 1.25e9}, bytes_per_second_words) == "at least 1.25 GB/s");
}

TEST_CASE("values are shown so that their type can be seen", "[io]") {
  CHECK(shown({true, {}}) == "true");
  CHECK(shown({std::int64_t{44}, {}}) == "44");
  CHECK(shown({8.0, {}}) == "8.0");
  CHECK(shown({0.1, {}}) == "0.1");
  CHECK(shown({1e300, {}}) == "1e+300");
  CHECK(shown({std::string{"abc"}, {}}) == R"(text "abc")");
  CHECK(shown({List{}, {}}) == "a list");
  CHECK(shown({Table{}, {}}) == "a table");
}

}  // namespace
}  // namespace dbsim
