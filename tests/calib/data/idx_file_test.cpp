#include "calib/data/idx_file.hpp"

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/catch.hpp"
#include "tests/io/saying.hpp"
#include "tests/io/temporary_folder.hpp"

namespace dbsim::calib {
namespace {

using namespace std::string_literals;

/// Two images of one row and three columns, as the format's description lays them out.
const std::string two_images =
    "\0\0\x08\x03\0\0\0\x02\0\0\0\x01\0\0\0\x03"s + "\x01\x02\x03\xfd\xfe\xff"s;

void put(const std::string& path, std::string_view bytes) {
  std::ofstream file{path, std::ios::binary};
  file << bytes;
}

/// By the program that made the compressed files of the data sets.
void compress(const std::string& path) { REQUIRE(std::system(("gzip " + path).c_str()) == 0); }

std::string reading(const TemporaryFolder& folder, std::string_view bytes) {
  const std::string path = folder / "idx";
  put(path, bytes);
  const std::string text = complaint([&] { (void)read_idx(path); });
  return text.starts_with(path) ? text.substr(path.size() + 2) : text;
}

TEST_CASE("an idx file gives its sizes and values, compressed or not", "[data]") {
  const TemporaryFolder folder;
  put(folder / "plain", two_images);
  put(folder / "packed", two_images);
  compress(folder / "packed");
  for (const char* name : {"plain", "packed.gz"}) {
    const IdxArray array = read_idx(folder / name);
    CHECK(array.sizes == std::vector<std::int64_t>{2, 1, 3});
    CHECK(array.values == std::vector<std::uint8_t>{1, 2, 3, 0xfd, 0xfe, 0xff});
  }
}

TEST_CASE("an array larger than one read is whole", "[data]") {
  const TemporaryFolder folder;
  std::string bytes = "\0\0\x08\x01\0\x30\0\0"s;  // 3 * 2^20 values
  for (int i = 0; i < 3 << 20; ++i) bytes += static_cast<char>(i % 251);
  put(folder / "large", bytes);
  compress(folder / "large");
  const IdxArray array = read_idx(folder / "large.gz");
  REQUIRE(array.values.size() == 3U << 20U);
  for (const std::size_t i : {0U, 1U << 20U, (3U << 20U) - 1}) CHECK(array.values[i] == i % 251);
}

TEST_CASE("what is no idx file of bytes is refused with the reason", "[data]") {
  const TemporaryFolder folder;
  CHECK(complaint([&] { (void)read_idx(folder / "none"); }) ==
        (folder / "none") + ": found no such file; expected the path of an idx file");
  CHECK(reading(folder, "") ==
        "found a file that ends in the first four bytes; expected an idx file");
  CHECK(reading(folder, "\x89PNG..") ==
        "found a file that begins with the bytes 89 50; expected an idx file, which begins with 00 "
        "00");
  CHECK(reading(folder, "\0\0\x0d\x01\0\0\0\x01"s) ==
        "found values of type 0d; expected unsigned bytes, type 08");
  CHECK(reading(folder, "\0\0\x08\x03\0\0\0\x02\0\0"s) ==
        "found a file that ends in its sizes; expected an idx file");
  CHECK(reading(folder, "\0\0\x08\x02\xff\xff\xff\xff\xff\xff\xff\xff"s) ==
        "found more values than any data set has; expected at most 2^32 values");
  CHECK(reading(folder, two_images.substr(0, two_images.size() - 1)) ==
        "found 5 values; expected the announced 6");
  CHECK(reading(folder, two_images + "x") == "found more than 6 values; expected the announced 6");
}

TEST_CASE("a compressed file that is cut short or damaged is refused", "[data]") {
  const TemporaryFolder folder;
  put(folder / "packed", two_images);
  compress(folder / "packed");
  std::ifstream file{folder / "packed.gz", std::ios::binary};
  const std::string whole{std::istreambuf_iterator<char>{file}, {}};
  for (const std::size_t cut : {std::size_t{4}, std::size_t{12}}) {
    const std::string text = reading(folder, std::string_view{whole}.substr(0, whole.size() - cut));
    CHECK_THAT(text, Catch::Contains("found broken compression"));
  }
  std::string damaged = whole;
  damaged[whole.size() - 6] = static_cast<char>(damaged[whole.size() - 6] + 1);  // its checksum
  CHECK_THAT(reading(folder, damaged), Catch::Contains("found broken compression"));
}

TEST_CASE("a folder is not read as an idx file", "[data]") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(read_idx(folder.path()), IoError);
}

}  // namespace
}  // namespace dbsim::calib
