#include <string>

#include "sim/io/parse.hpp"
#include "tests/catch.hpp"
#include "tests/io/saying.hpp"
#include "tests/io/tree.hpp"

namespace dbsim {
namespace {

std::string said(const std::string& toml) {
  return complaint([&] { (void)parse_toml(toml, "f.toml"); });
}

TEST_CASE("every key and value of a TOML file knows its line and column", "[io]") {
  const std::string toml = R"(name = "x"
list = [1, 2.5,
        true]
[job]
  epochs = 10
[[worker]]
speed = { a = 1, "b c" = "d" }
[network.star]
x.y = 1
)";
  CHECK(tree(parse_toml(toml, "f.toml")) == R"(1:1 name = 1:8 text "x"
2:1 list = 2:8 a list
  2:9 1
  2:12 2.5
  3:9 true
4:2 job = 4:1 a table
  5:3 epochs = 5:12 10
6:3 worker = 6:1 a list
  6:1 a table
    7:1 speed = 7:9 a table
      7:11 a = 7:15 1
      7:18 b c = 7:26 text "d"
8:2 network = 8:1 a table
  8:10 star = 8:1 a table
    9:1 x = 9:1 a table
      9:3 y = 9:7 1
)");
}

TEST_CASE("keys keep the order of the TOML file", "[io]") {
  CHECK(tree(parse_toml("z = 1\na = 2\n", "f.toml")) == "1:1 z = 1:5 1\n2:1 a = 2:5 2\n");
}

TEST_CASE("columns of TOML count characters", "[io]") {
  CHECK(tree(parse_toml("k = [\"\u00e9\u20ac\", 1]", "f.toml")) ==
        "1:1 k = 1:5 a list\n  1:6 text \"\u00e9\u20ac\"\n  1:12 1\n");
}

TEST_CASE("malformed TOML is refused where it breaks, in plain words", "[io]") {
  CHECK(said("a = [1,2") == "f.toml:1:9: found the end of the file; expected the rest of an array");
  CHECK(said("a =") ==
        "f.toml:1:4: found the end of the file; expected the rest of a key-value pair");
  CHECK(
      said("n = 3\nx = abc, ") ==
      "f.toml:2:5: found abc; expected text in quotes, a number, true or false, a list or a table");
  CHECK(said("[=]") == "f.toml:1:2: found =; expected a key");
  CHECK(said("[ \n]") == "f.toml:1:3: found \\n; expected a key");
  CHECK(said("[[]]") == "f.toml:1:3: found ]; expected a key");
  CHECK(said("[\u00e9]") == "f.toml:1:2: found \u00e9; expected a key");
  CHECK(said("n = [1 }") == "f.toml:1:8: found }; expected ',' or ']'");
  CHECK(said("n = {a = 1]") == "f.toml:1:11: found ]; expected ',' or '}'");
  CHECK(said("n = 1 2") == "f.toml:1:7: found '2'; expected the end of the line");
  CHECK(said("a = \"x\nb = 1") ==
        "f.toml:1:7: found the end of the line; expected the quote that ends the text");
  CHECK(said("a = \"x\ay\"") ==
        "f.toml:1:7: found a control character; expected an escape such as \\n or \\u0007");
  CHECK(said("a = 9223372036854775808") ==
        "f.toml:1:24: found a number beyond 64 bits; expected a number that fits");
  CHECK(said("a = \"x\\qy\"") ==
        "f.toml:1:8: found TOML that cannot be read: unknown escape sequence '\\q'");
}

TEST_CASE("letters beyond ASCII stand in strings and comments only", "[io]") {
  CHECK(said("# \u00e9\n\"\u00e9\" = '\u20ac'\n[\"\u00e9\u20ac\"]") == "nothing");
  CHECK(said("a = \"\"\"\u00e9\\\n \\u00e9\"\"\"") == "nothing");
  CHECK(said("\u00e9 = 1") == "f.toml:1:1: found \u00e9; expected text in quotes");
  CHECK(said("a = 1\u00a0") == "f.toml:1:6: found \u00a0; expected text in quotes");
  CHECK(said("a = [1'\u00e9']") == "f.toml:1:8: found \u00e9; expected text in quotes");
  CHECK(said("a = \"\"\"x\\\n \u00e9\"\"\"") ==
        "f.toml:2:2: found \u00e9; expected a letter of ASCII after a backslash");
}

TEST_CASE("a key given twice in TOML is refused at the second", "[io]") {
  CHECK(said("a = 1\nb = 2\na = 3") ==
        "f.toml:3:1: found 'a' a second time; expected each key and table once");
  CHECK(said("[job]\nx.y = 1\n  x.y = 2") ==
        "f.toml:3:3: found 'x.y' a second time; expected each key and table once");
  CHECK(said("a = 1\na.b = 2") ==
        "f.toml:2:1: found a key a second time; expected each key and table once");
  CHECK(said("[job]\n[job]") ==
        "f.toml:2:1: found 'job' a second time; expected each key and table once");
}

TEST_CASE("dates are refused, all of them at once, with their path", "[io]") {
  CHECK(said("a = 2024-05-27\nb = [1, {c = 07:32:00}]") ==
        "f.toml:1:5: a: found a date or time of day; expected text in quotes, or a number\n"
        "f.toml:2:14: b[1].c: found a date or time of day; expected text in quotes, or a number");
}

std::string repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST_CASE("deep nesting in TOML is refused, however it is written", "[io]") {
  const std::string refusal = "found a value inside too many others; expected at most 64 levels";
  const auto is_refused = [&](const std::string& toml) { return said(toml).ends_with(refusal); };
  CHECK(is_refused("a = " + repeated("[", 65)));
  CHECK(is_refused("a = " + repeated("{a=", 100'000)));
  CHECK(is_refused(repeated("a.", 65) + "a = 1"));
  CHECK(is_refused("[" + repeated("a.", 1'000'000) + "a]"));
  CHECK(is_refused("\xEF\xBB\xBF[" + repeated("a.", 65) + "a]"));
  CHECK(is_refused("[" + repeated("a.", 40) + "a]\n" + repeated("a.", 40) + "a = 1"));
  CHECK(is_refused("x." + repeated("a.", 20) + "a = {" + repeated("b.", 50) + "b = 1}"));
  CHECK(is_refused("a = [\"\"\"]\"]\"\"\", " + repeated("[", 70)));
}

TEST_CASE("dots and brackets that nest nothing are not counted as nesting", "[io]") {
  CHECK(said("a = " + repeated("[", 60) + repeated("]", 60)) == "nothing");
  CHECK(said("a = [" + repeated("1.5, ", 1000) + "]") == "nothing");
  CHECK(said(repeated("[[a.b]]\nc.d = [{x.y = 1.5}, 2.5] # [.[.\n", 100)) == "nothing");
  CHECK(said("a = \"" + repeated("[.\\\"", 100) + "\"") == "nothing");
  CHECK(said("a = '" + repeated("{.\\", 100) + "'") == "nothing");
  CHECK(said("a = \"\"\"\n" + repeated("[[.\"\n", 100) + "\"\"\"") == "nothing");
  CHECK(said("a = '''" + repeated("[.''\n", 100) + "'''''\nb = [[[1]]]") == "nothing");
}

}  // namespace
}  // namespace dbsim
