#include <fmt/format.h>

#include <string>

#include "sim/base/random.hpp"
#include "sim/io/parse.hpp"
#include "sim/io/utf8.hpp"
#include "tests/catch.hpp"
#include "tests/io/saying.hpp"
#include "tests/io/tree.hpp"

namespace dbsim {
namespace {

std::string said(const std::string& json) {
  return complaint([&] { (void)parse_json(json, "f.json"); });
}

TEST_CASE("every key and value of a JSON file knows its line and column", "[io]") {
  const std::string json = R"({
  "a": 1, "b" : [1,-2.5 , true,"x\"]", {"é": "é", "c" :false}, []],
  "d": {}
 , "e":1e3})";
  CHECK(tree(parse_json(json, "f.json")) == R"(2:3 a = 2:8 1
2:11 b = 2:17 a list
  2:18 1
  2:20 -2.5
  2:27 true
  2:32 text "x"]"
  2:40 a table
    2:41 é = 2:46 text "é"
    2:51 c = 2:56 false
  2:64 a list
3:3 d = 3:8 a table
4:4 e = 4:8 1000.0
)");
}

TEST_CASE("null is refused in our files, and no value in those of others", "[io]") {
  const std::string json = R"({"a": null, "b": [1, null, {"c": null}], "d": 2})";
  CHECK_THAT(said(json), Catch::Matchers::StartsWith("f.json:1:7: found null"));
  CHECK(tree(parse_foreign_json(json, "f.json")) == R"(1:13 b = 1:18 a list
  1:19 1
  1:28 a table
1:42 d = 1:47 2
)");
  CHECK(complaint([] { (void)parse_foreign_json("null", "f.json"); }).starts_with("f.json:1:1:"));
}

TEST_CASE("the root of a JSON file has a position, blanks and byte order mark aside", "[io]") {
  CHECK(place(parse_json("\n  {}", "f.json").at) == "2:3");
  CHECK(place(parse_json("\xEF\xBB\xBF{}", "f.json").at) == "1:1");
}

TEST_CASE("whole numbers in JSON stay whole while 64 bits hold them", "[io]") {
  CHECK(tree(parse_json(R"({"a":9223372036854775807,"b":-9223372036854775808})", "f.json")) ==
        "1:2 a = 1:6 9223372036854775807\n1:26 b = 1:30 -9223372036854775808\n");
  CHECK(tree(parse_json(R"({"a":9223372036854775808})", "f.json")) ==
        "1:2 a = 1:6 9.223372036854776e+18\n");
}

TEST_CASE("a key given twice in JSON is refused at the second", "[io]") {
  CHECK(said("{\"a\":1,\n \"b\":2, \"a\":3}") ==
        "f.json:2:9: found \"a\" a second time; expected each key once");
  CHECK(said(R"({"a":1,"\u0061":3})") ==
        "f.json:1:8: found \"a\" a second time; expected each key once");
}

TEST_CASE("null is refused", "[io]") {
  CHECK(said(R"({"a": [1, null]})") == "f.json:1:11: found null; expected a value, or no such key");
}

TEST_CASE("malformed JSON is refused where it breaks, in plain words", "[io]") {
  CHECK(said("") == "f.json:1:1: found the end of the file; expected a value");
  CHECK(said("{\"a\":[1") == "f.json:1:8: found the end of the file; expected ',' or ']'");
  CHECK(said("{\"a\":}") == "f.json:1:6: found }; expected a value");
  CHECK(said("{\"a\":1,}") == "f.json:1:8: found }; expected a key in quotes");
  CHECK(said("{,\"a\":1}") == "f.json:1:2: found ,; expected a key in quotes");
  CHECK(said("{\"a\" 1}") == "f.json:1:6: found 1; expected ':'");
  CHECK(said("{\"a\"::1}") == "f.json:1:6: found :; expected a value");
  CHECK(said("{'a':1}") == "f.json:1:2: found 'a'; expected a key in quotes");
  CHECK(said("\n\n  {\"a\": 1 \"b\": 2}") == "f.json:3:11: found \"b\"; expected ',' or '}'");
  CHECK(said("{\"a\": NaN}") == "f.json:1:7: found NaN; expected a value");
  CHECK(said("{} x") == "f.json:1:4: found x; expected the end of the file");
  CHECK(said("// x\n{}") == "f.json:1:1: found //; expected a value");
  CHECK(said("{\"a\": 1e999}") ==
        "f.json:1:7: found 1e999; expected a number within the range of a double");
  CHECK(said("{\"a\": \"x\\q\"}") ==
        "f.json:1:10: found JSON that cannot be read: invalid string: forbidden character after "
        "backslash");
}

TEST_CASE("a JSON file that holds no table is refused", "[io]") {
  CHECK(said("[1]") == "f.json:1:1: found a list; expected a table in braces");
  CHECK(said(" 3") == "f.json:1:2: found 3; expected a table in braces");
}

TEST_CASE("deep nesting in JSON is refused where it becomes too deep", "[io]") {
  CHECK(said(std::string(1'000'000, '[')) ==
        "f.json:1:65: found a value inside too many others; expected at most 64 levels");
  CHECK(said("{\"a\":" + std::string(60, '[') + std::string(60, ']') + "}") == "nothing");
}

TEST_CASE("the time to read JSON grows with its length, not with its square", "[io]") {
  std::string json = "{";
  for (int i = 0; i < 100'000; ++i) json += fmt::format("\"k{}\":{},", i, i);
  const Value root = parse_json(json + "\"last\":0}", "f.json");
  CHECK(std::get<Table>(root.data).size() == 100'001);
}

TEST_CASE("positions survive any amount of blanks between tokens", "[io]") {
  RandomStream random{11};
  const auto blanks = [&] {
    std::string text(static_cast<std::size_t>(random.whole(0, 3)), ' ');
    for (char& blank : text) blank = random.whole(0, 1) == 0 ? '\n' : '\t';
    return text;
  };
  for (int i = 0; i < 200; ++i) {
    const std::string before = fmt::format("{}{{{}", blanks(), blanks());
    const std::string key = fmt::format(R"({}"k, :[]{{}}"{}:{})", before, blanks(), blanks());
    const std::string json = fmt::format("{}7{}}}", key, blanks());
    const Value root = parse_json(json, "f.json");
    const Entry& entry = std::get<Table>(root.data).at(0);
    CHECK(place(entry.key_at) == place(advanced({1, 1}, before)));
    CHECK(place(entry.value.at) == place(advanced({1, 1}, key)));
  }
}

}  // namespace
}  // namespace dbsim
