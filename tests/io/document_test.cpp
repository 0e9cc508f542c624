#include "sim/io/document.hpp"

#include <fstream>
#include <string>
#include <utility>

#include "tests/catch.hpp"
#include "tests/io/saying.hpp"
#include "tests/io/temporary_folder.hpp"

namespace dbsim {
namespace {

void put(const std::string& path, const std::string& text) { std::ofstream{path} << text; }

void describe(Fields& fields) {
  std::int64_t value = 0;
  fields.whole({"a", "", Need::required}, at_least_one, value);
}

TEST_CASE("a file is JSON by its name, and TOML otherwise", "[io]") {
  const TemporaryFolder folder;
  put(folder / "a.json", "{\"a\": 0}");
  put(folder / "a.toml", "a = 0");
  put(folder / "a", "a = 0");
  const std::string problem = "a: found 0; expected at least 1";
  CHECK(reading(Document::load(folder / "a.json"), describe) ==
        (folder / "a.json") + ":1:7: " + problem);
  CHECK(reading(Document::load(folder / "a.toml"), describe) ==
        (folder / "a.toml") + ":1:5: " + problem);
  CHECK(reading(Document::load(folder / "a"), describe) == (folder / "a") + ":1:5: " + problem);
}

TEST_CASE("loading a file that cannot be read says why", "[io]") {
  const TemporaryFolder folder;
  CHECK(complaint([&] { (void)Document::load(folder / "a.toml"); }) ==
        (folder / "a.toml") + ": found no such file; expected the path of a text file");
}

TEST_CASE("problems are added to those that are there", "[io]") {
  std::vector<Problem> problems{{{}, "first", "x", {}, {}}};
  Document::toml("a = 0", "f.toml").read(describe, problems);
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].key == "first");
  CHECK(problems[1].key == "a");
}

TEST_CASE("a document can be moved and read again", "[io]") {
  Document first = Document::toml("b = 1", "f.toml");
  first.set("a", "0");
  const Document second = std::move(first);
  CHECK(second.file() == "f.toml");
  const std::string said =
      "--set a: a: found 0; expected at least 1\nf.toml:1:1: b: unknown key; expected a";
  CHECK(reading(second, describe) == said);
  CHECK(reading(second, describe) == said);
}

}  // namespace
}  // namespace dbsim
