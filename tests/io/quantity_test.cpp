#include "sim/io/quantity.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "tests/catch.hpp"

namespace dbsim {
namespace {

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(", "), list.size());
    words.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 2, list.size()));
  }
  return words;
}

TEST_CASE("each unit means what its name says", "[io]") {
  CHECK(parse_duration("25 us") == Seconds{25e-6});
  CHECK(parse_duration("3ns") == Seconds{3e-9});
  CHECK(parse_duration("1.5 ms") == Seconds{1.5e-3});
  CHECK(parse_duration("120 s") == Seconds{120.0});
  CHECK(parse_duration("2 min") == Seconds{120.0});
  CHECK(parse_duration("1 h") == Seconds{3600.0});
  CHECK(parse_duration("2 d") == Seconds{172800.0});
  CHECK(parse_size("44.7 MB") == Bytes{44.7e6});
  CHECK(parse_size("1 GiB") == Bytes{1073741824.0});
  CHECK(parse_size("7 kB") == Bytes{7000.0});
  CHECK(parse_bandwidth("10 Gbit/s") == BytesPerSecond{1.25e9});
  CHECK(parse_bandwidth("10 GB/s") == BytesPerSecond{1e10});
  CHECK(parse_bandwidth("1 bit/s") == BytesPerSecond{0.125});
}

TEST_CASE("numbers may have a sign, an exponent and grouped digits", "[io]") {
  CHECK(parse_size("50_000 B") == Bytes{50'000.0});
  CHECK(parse_size("1e3 B") == Bytes{1000.0});
  CHECK(parse_size("1.5E-1 kB") == Bytes{150.0});
  CHECK(parse_size("1e+2B") == Bytes{100.0});
  CHECK(parse_size("+3 B") == Bytes{3.0});
  CHECK(parse_bandwidth("-10 Gbit/s") == BytesPerSecond{-1.25e9});
}

TEST_CASE("what is not a finite number with a known unit is refused", "[io]") {
  const std::string text =
      GENERATE("", " ", "44", "MB", "44 mb", "44  MB", " 44 MB", "44 MB ", "44\tMB", "4_ MB",
               "_4 MB", "4__4 MB", ".5 MB", "5. MB", "1e MB", "1e999 MB", "1e308 TB", "inf MB",
               "nan MB", "0x10 MB", "1,5 MB", "--1 MB", "+-1 MB", "44 MB/s", "44 Mbit", "44 MBB");
  CHECK_FALSE(parse_size(text));
}

TEST_CASE("a printed quantity reads back as the same number", "[io]") {
  RandomStream random{7};
  for (int i = 0; i < 2000; ++i) {
    const double value = random.lognormal(20.0);
    CHECK(parse_duration(fmt::format("{} s", value)) == Seconds{value});
    CHECK(parse_size(fmt::format("{}B", value)) == Bytes{value});
    CHECK(parse_bandwidth(fmt::format("{} B/s", -value)) == BytesPerSecond{-value});
  }
}

TEST_CASE("whole microseconds are exact", "[io]") {
  for (const int count : {1, 3, 7, 25, 120, 999, 123'457}) {
    const double nearest_double = std::stod(fmt::format("{}e-6", count));
    CHECK(parse_duration(fmt::format("{} us", count)) == Seconds{nearest_double});
  }
}

TEST_CASE("every unit that messages list is understood", "[io]") {
  for (const std::string& unit : split(duration_units)) CHECK(parse_duration("1 " + unit));
  for (const std::string& unit : split(size_units)) CHECK(parse_size("1 " + unit));
  for (const std::string& unit : split(bandwidth_units)) CHECK(parse_bandwidth("1 " + unit));
}

}  // namespace
}  // namespace dbsim
