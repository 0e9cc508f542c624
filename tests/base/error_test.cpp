#include "sim/base/error.hpp"

#include <string>

#include "sim/base/check.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

const Where value_place{"mixed.toml", 19, 14};
const Where key_place{"mixed.toml", 14, 3};

}  // namespace

TEST_CASE("a problem reads FILE:LINE:COL: key: found, expected, suggestion", "[error]") {
  const Problem value{value_place, "network.star.latency", "-10 Gbit/s", "more than 0", {}};
  CHECK(to_text(value) ==
        "mixed.toml:19:14: network.star.latency: found -10 Gbit/s; expected more than 0");
  const Problem key{key_place, "worker[1].devise", "unknown key", {}, "device"};
  CHECK(to_text(key) == "mixed.toml:14:3: worker[1].devise: unknown key; did you mean 'device'?");
}

TEST_CASE("a problem of the whole file has no line, and one of the command line no file",
          "[error]") {
  const Where whole_file{"empty.toml", 0, 0};
  const Problem file{whole_file, {}, "nothing", "a scenario", {}};
  CHECK(to_text(file) == "empty.toml: found nothing; expected a scenario");
  const Problem flag{Where{}, "--seed", "\"x\"", "a whole number", {}};
  CHECK(to_text(flag) == "--seed: found \"x\"; expected a whole number");
}

TEST_CASE("an input error says everything that is wrong, one problem a line", "[error]") {
  const Problem first{value_place, "x", "1", "2", {}};
  const Problem second{key_place, "y", "unknown key", {}, {}};
  const InputError error{{first, second}};
  CHECK(std::string{error.what()} ==
        "mixed.toml:19:14: x: found 1; expected 2\nmixed.toml:14:3: y: unknown key");
  REQUIRE(error.problems().size() == 2);
  CHECK(error.problems()[1].where == key_place);
}

TEST_CASE("a check that holds is silent", "[check]") { CHECK_NOTHROW(check(true, "all is well")); }

TEST_CASE("a check that fails names its claim and the place of the caller", "[check]") {
  const int line = __LINE__ + 2;
  try {
    check(false, "batches are positive");
    FAIL("the check did not throw");
  } catch (const BrokenAssumption& broken) {
    const std::string text = broken.what();
    INFO(text);
    CHECK(text.find("batches are positive") != std::string::npos);
    CHECK(text.find("error_test.cpp:" + std::to_string(line)) != std::string::npos);
  }
}
