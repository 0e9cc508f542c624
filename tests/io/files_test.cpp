#include "sim/io/files.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/catch.hpp"
#include "tests/io/saying.hpp"
#include "tests/io/temporary_folder.hpp"

namespace dbsim {
namespace {

namespace fs = std::filesystem;

std::string reading_file(const std::string& path) {
  return complaint([&] { (void)read_text_file(path); });
}

// Byte by byte, unlike the function under test.
void put(const std::string& path, const std::string& bytes) {
  std::ofstream file{path, std::ios::binary};
  file << bytes;
}

TEST_CASE("what was written is read back, empty and large texts too", "[io]") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.txt";
  for (const std::string& text :
       {std::string{}, std::string{"\u00e9\r\n"}, std::string(300'000, 'x')}) {
    write_text_file(path, text);
    CHECK(read_text_file(path) == text);
  }
  CHECK(folder.count() == 1);
}

TEST_CASE("missing parent folders are made", "[io]") {
  const TemporaryFolder folder;
  write_text_file(folder / "a/b/c.txt", "x");
  CHECK(read_text_file(folder / "a/b/c.txt") == "x");
}

TEST_CASE("a file that is not there is reported, and a similar one suggested", "[io]") {
  const TemporaryFolder folder;
  CHECK(reading_file(folder / "x.toml") ==
        (folder / "x.toml") + ": found no such file; expected the path of a text file");
  put(folder / "four-cards.toml", "");
  CHECK(reading_file(folder / "four-crads.toml") ==
        (folder / "four-crads.toml") +
            ": found no such file; expected the path of a text file; "
            "did you mean '" +
            (folder / "four-cards.toml") + "'?");
  CHECK(reading_file(folder / "no/such/folder.toml") ==
        (folder / "no/such/folder.toml") +
            ": found no such file; expected the path of a text file");
  CHECK(reading_file(folder / "four-cards.toml/x") ==
        (folder / "four-cards.toml/x") + ": found no such file; expected the path of a text file");
}

TEST_CASE("a directory is no text file", "[io]") {
  const TemporaryFolder folder;
  CHECK(reading_file(folder.path()) ==
        folder.path() + ": found a directory; expected the path of a text file");
}

TEST_CASE("bytes that are not UTF-8 are reported where they stand", "[io]") {
  const TemporaryFolder folder;
  put(folder / "a", "ok\n\xC3\xA9\xFF");
  CHECK(reading_file(folder / "a") ==
        (folder / "a") + ":2:2: found bytes that are not UTF-8; expected a text file in UTF-8");
  put(folder / "b", std::string{"ab\0c", 4});
  CHECK(reading_file(folder / "b") ==
        (folder / "b") + ":1:3: found a zero byte; expected a text file in UTF-8");
}

TEST_CASE("a file of more than 64 MiB is refused", "[io]") {
  const TemporaryFolder folder;
  put(folder / "a", "");
  fs::resize_file(folder / "a", (std::uintmax_t{64} << 20U) + 1);  // sparse: takes no space
  CHECK(reading_file(folder / "a") ==
        (folder / "a") + ": found more than 64 MiB; expected a text file of at most 64 MiB");
}

TEST_CASE("a write that cannot succeed leaves nothing behind", "[io]") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "target");
  put(folder / "target/inside", "x");
  CHECK_THROWS_AS(write_text_file(folder / "target", "new"), IoError);
  CHECK(folder.count() == 1);
  CHECK(fs::is_directory(folder / "target"));
}

TEST_CASE("a file in the place of a parent folder is an error of the machine", "[io]") {
  const TemporaryFolder folder;
  put(folder / "a", "x");
  CHECK_THROWS_AS(write_text_file(folder / "a/b.txt", "new"), IoError);
  CHECK(read_text_file(folder / "a") == "x");
}

TEST_CASE("writing through a link changes the file and keeps the link", "[io]") {
  const TemporaryFolder folder;
  put(folder / "real", "old");
  fs::create_symlink("real", folder / "link");
  write_text_file(folder / "link", "new");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(read_text_file(folder / "real") == "new");
}

TEST_CASE("a device is written to, not replaced", "[io]") {
  write_text_file("/dev/null", "gone");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a name without a folder means the current one", "[io]") {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  write_text_file("plain.txt", "x");
  fs::current_path(before);
  CHECK(read_text_file(folder / "plain.txt") == "x");
}

}  // namespace
}  // namespace dbsim
