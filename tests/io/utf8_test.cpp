#include "sim/io/utf8.hpp"

#include "tests/catch.hpp"

namespace dbsim {
namespace {

TEST_CASE("well-formed UTF-8 of every length is accepted", "[io]") {
  CHECK_FALSE(first_not_utf8(""));
  CHECK_FALSE(first_not_utf8("plain"));
  CHECK_FALSE(first_not_utf8("\u00e9 \u20ac \U0001f600"));
  CHECK_FALSE(first_not_utf8("\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF"));  // beside the gaps
}

TEST_CASE("bytes outside UTF-8 are found where they stand", "[io]") {
  CHECK(first_not_utf8("ab\xFF") == 2U);
  CHECK(first_not_utf8("\x80") == 0U);
  CHECK(first_not_utf8("a\xC3") == 1U);             // cut off
  CHECK(first_not_utf8("a\xC3(") == 1U);            // not continued
  CHECK(first_not_utf8("\xC0\x80") == 0U);          // overlong
  CHECK(first_not_utf8("\xE0\x80\x80") == 0U);      // overlong
  CHECK(first_not_utf8("\xF0\x80\x80\x80") == 0U);  // overlong
  CHECK(first_not_utf8("\xED\xA0\x80") == 0U);      // a surrogate
  CHECK(first_not_utf8("\xF4\x90\x80\x80") == 0U);  // beyond U+10FFFF
  CHECK(first_not_utf8("\xF8\x88\x80\x80\x80") == 0U);
}

TEST_CASE("columns count characters, not bytes", "[io]") {
  const Position at = advanced({1, 1}, "a\n\u00e9\u20acx");
  CHECK(at.line == 2);
  CHECK(at.column == 4);
}

}  // namespace
}  // namespace dbsim
