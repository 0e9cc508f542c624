#include "sim/program/command.hpp"

#include <array>

#include "tests/catch.hpp"

using namespace dbsim;

namespace {

constexpr std::array<Option, 3> options{
    Option{"seed", "N", "a seed"}, Option{"json", "", "a switch"},
    Option{"set", "KEY=VALUE", "a setting", Option::Times::many}};

}  // namespace

TEST_CASE("options and words may come in any order", "[command]") {
  const Arguments arguments =
      parse(options, {"a.toml", "--seed", "7", "b.toml", "--json", "--set", "x=1", "--set=y=2"});
  CHECK(arguments.words() == std::vector<std::string>{"a.toml", "b.toml"});
  CHECK(arguments.whole("seed", 0) == 7U);
  CHECK(arguments.has("json"));
  CHECK(arguments.texts("set") == std::vector<std::string>{"x=1", "y=2"});
  CHECK_FALSE(arguments.text("missing").has_value());
}

TEST_CASE("a mistyped option names the one that was meant", "[command]") {
  CHECK_THROWS_WITH(parse(options, {"--sede", "7"}),
                    "unknown option '--sede'; did you mean '--seed'?");
  CHECK_THROWS_WITH(parse(options, {"--se", "7"}), Catch::Contains("unknown option '--se'"));
}

TEST_CASE("a number that is none is shown with what was expected", "[command]") {
  for (const char* word : {"x", "-1", "1.5", "99999999999999999999", ""}) {
    const Arguments arguments =
        parse(options, {std::string{"--seed="} + (*word == '\0' ? "0x" : word)});
    CHECK_THROWS_AS(arguments.whole("seed", 0), UsageError);
  }
  CHECK_THROWS_WITH(parse(options, {"--seed", "0"}).whole("seed", 1),
                    "--seed: found '0'; expected a whole number, at least 1");
}

TEST_CASE("a list is its words without the commas, empty ones left out", "[command]") {
  CHECK(split_at_commas("fixed,dbs") == std::vector<std::string>{"fixed", "dbs"});
  CHECK(split_at_commas(",a,,b,") == std::vector<std::string>{"a", "b"});
  CHECK(split_at_commas("").empty());
}

TEST_CASE("help fits 80 columns", "[command]") {
  const Command command{.name = "run",
                        .summary = "Runs.",
                        .usage = "FILE",
                        .example = "dbsim run a.toml",
                        .options = {{"set", "KEY=VALUE",
                                     "a long explanation that goes on and on until it no longer "
                                     "fits into a single line of eighty columns"}},
                        .execute = {}};
  const std::string text = help_text("dbsim run", command);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    CHECK(end - begin <= 80);
    begin = end + 1;
  }
}
