#include "sim/report/layout.hpp"

#include "tests/catch.hpp"

using namespace dbsim;

TEST_CASE("columns are as wide as their widest cell", "[layout]") {
  const Grid grid{.columns = {{.title = "name", .unit = "", .align = Align::left},
                              {.title = "time", .unit = "s"}},
                  .rows = {{{.text = "a"}, {.text = "10.5"}}, {{.text = "longer"}, {.text = "7"}}}};
  CHECK(grid_text(grid, {}) ==
        "name    time\n"
        "           s\n"
        "------------\n"
        "a       10.5\n"
        "longer     7\n");
}

TEST_CASE("the first column gives way where the width is short", "[layout]") {
  const Grid grid{.columns = {{.title = "name", .unit = "", .align = Align::left},
                              {.title = "time", .unit = ""}},
                  .rows = {{{.text = "a name too long for this"}, {.text = "1"}}}};
  CHECK(grid_text(grid, {.width = 20}) ==
        "name            time\n"
        "--------------------\n"
        "a name too ...     1\n");
}

TEST_CASE("colour changes no column and is absent unless wanted", "[layout]") {
  const Grid grid{.columns = {{.title = "a", .unit = "", .align = Align::left},
                              {.title = "saving", .unit = ""}},
                  .rows = {{{.text = "x"}, {.text = "5 %", .tone = Tone::gain}},
                           {{.text = "y"}, {.text = "-5 %", .tone = Tone::loss}}}};
  CHECK(grid_text(grid, {.colour = true}) ==
        "\x1b[1ma\x1b[0m  \x1b[1msaving\x1b[0m\n"
        "---------\n"
        "x     \x1b[32m5 %\x1b[0m\n"
        "y    \x1b[31m-5 %\x1b[0m\n");
  CHECK(grid_text(grid, {}).find('\x1b') == std::string::npos);
}

TEST_CASE("sentences break at spaces but not before a unit", "[layout]") {
  CHECK(
      wrapped_after("- ", "it takes a while: 41 min 12 s instead of 1 h 23 min.", {.width = 20}) ==
      "- it takes a while:\n"
      "  41 min 12 s\n"
      "  instead of 1 h\n"
      "  23 min.\n");
  CHECK(wrapped_after("", "now 11 %.", {.width = 20}) == "now 11 %.\n");
  CHECK(wrapped_after("", "only nine words 5 %.", {.width = 20}) == "only nine words 5 %.\n");
  CHECK(wrapped_after("", "really nine words 5 %.", {.width = 20}) == "really nine words\n5 %.\n");
}

TEST_CASE("widths count characters, not bytes", "[layout]") {
  CHECK(display_width("caf\xc3\xa9") == 4);
  CHECK(shortened("caf\xc3\xa9", 4) == "caf\xc3\xa9");
  CHECK(shortened("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4) == "\xc3\xa9...");
  CHECK(shortened("abcdef", 2) == "..");
}

TEST_CASE("percentages and numbers read as people write them", "[layout]") {
  CHECK(percent(0.639) == "63.9 %");
  CHECK(percent(-0.0001) == "0.0 %");
  CHECK(percent(-0.032) == "-3.2 %");
  CHECK(rough_percent(0.0) == "0 %");
  CHECK(rough_percent(0.001) == "less than 1 %");
  CHECK(rough_percent(0.413) == "41 %");
  CHECK(rough_percent(0.999) == "more than 99 %");
  CHECK(rough_percent(1.0) == "100 %");
  CHECK(grouped_digits(7) == "7");
  CHECK(grouped_digits(999) == "999");
  CHECK(grouped_digits(50'000) == "50,000");
  CHECK(grouped_digits(-1'234'567) == "-1,234,567");
  CHECK(grouped_digits(-100) == "-100");
}
