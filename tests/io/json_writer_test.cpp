#include "sim/io/json_writer.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "sim/base/check.hpp"
#include "tests/catch.hpp"

using namespace dbsim;
using Layout = JsonWriter::Layout;

namespace {

std::string number_text(double value) {
  JsonWriter json;
  json.number(value);
  return std::move(json).finish();
}

}  // namespace

TEST_CASE("objects and arrays nest, by line or by row", "[json]") {
  JsonWriter json;
  json.open_object(Layout::lines);
  json.key("empty");
  json.open_array(Layout::lines);
  json.close();
  json.key("row");
  json.open_array(Layout::row);
  json.whole(-1);
  json.open_object(Layout::lines);  // inside a row all is on one line
  json.key("a");
  json.null();
  json.close();
  json.close();
  json.key("lines");
  json.open_array(Layout::lines);
  json.natural(18446744073709551615U);
  json.text("x");
  json.close();
  json.close();
  const std::string text = std::move(json).finish();
  CHECK(text ==
        "{\n"
        "  \"empty\": [],\n"
        "  \"row\": [-1, {\"a\": null}],\n"
        "  \"lines\": [\n"
        "    18446744073709551615,\n"
        "    \"x\"\n"
        "  ]\n"
        "}\n");
}

TEST_CASE("numbers are as short as reading them back allows", "[json]") {
  CHECK(number_text(0.1) == "0.1\n");
  CHECK(number_text(100000.0) == "100000\n");
  CHECK(number_text(-0.0) == "0\n");
  CHECK(number_text(1e300) == "1e+300\n");
  CHECK(number_text(0.1 + 0.2) == "0.30000000000000004\n");
  CHECK(number_text(std::numeric_limits<double>::infinity()) == "null\n");
  for (const double value : {1.0 / 3.0, 5e-324, 1.7976931348623157e308, 123456.789e-9}) {
    CHECK(nlohmann::json::parse(number_text(value)).get<double>() == value);
  }
}

TEST_CASE("any text comes back from JSON as it went in", "[json]") {
  const std::string text =
      "quote \" back \\ line \n tab \t bell \a nothing \x01 accent \xc3\xa9 end";
  JsonWriter json;
  json.text(text);
  const std::string written = std::move(json).finish();
  CHECK(nlohmann::json::parse(written).get<std::string>() == text);
}

TEST_CASE("JSON that is not complete is refused", "[json]") {
  JsonWriter json;
  json.open_object(Layout::lines);
  json.key("a");
  CHECK_THROWS_AS(json.close(), BrokenAssumption);
  JsonWriter open;
  open.open_array(Layout::row);
  CHECK_THROWS_AS(std::move(open).finish(), BrokenAssumption);
}
