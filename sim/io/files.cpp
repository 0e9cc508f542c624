#include "sim/io/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/io/nearest.hpp"
#include "sim/io/utf8.hpp"

namespace dbsim {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_file = std::size_t{64} << 20U;
constexpr std::size_t chunk_size = std::size_t{64} << 10U;

/// An open file; closed whatever happens.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_{number} {}
  Descriptor(Descriptor&& other) noexcept : number_{std::exchange(other.number_, -1)} {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { (void)close(); }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }
  /// Whether the system accepted everything that was written.
  [[nodiscard]] bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

[[nodiscard]] std::string reason() { return std::strerror(errno); }

[[noreturn]] void cannot_write(const std::string& path) {
  throw IoError{fmt::format("{}: cannot be written: {}", path, reason())};
}

[[noreturn]] void refuse(Where where, std::string found, std::string expected,
                         std::string suggestion = {}) {
  throw InputError{
      {{std::move(where), {}, std::move(found), std::move(expected), std::move(suggestion)}}};
}

// The file in the same folder whose name is most like the one asked for.
std::string similar_file(const fs::path& path) {
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path{"."};
  std::vector<std::string> names;
  for (fs::directory_iterator file{folder, error}; file != fs::directory_iterator{};) {
    names.push_back(file->path().filename().string());
    file.increment(error);
    if (error) break;
  }
  std::ranges::sort(names);  // folders list their files in no particular order
  const std::vector<std::string_view> known{names.begin(), names.end()};
  const std::string name = nearest(path.filename().string(), known);
  if (name.empty()) return {};
  return path.has_parent_path() ? (path.parent_path() / name).string() : name;
}

void require_text(const std::string& path, std::string_view text) {
  const auto refuse_at = [&](std::size_t offset, std::string found) {
    const Position at = advanced({1, 1}, text.substr(0, offset));
    refuse({path, at.line, at.column}, std::move(found), "a text file in UTF-8");
  };
  if (const auto offset = first_not_utf8(text)) refuse_at(*offset, "bytes that are not UTF-8");
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos) refuse_at(zero, "a zero byte");
}

std::string read_all(const std::string& path, const Descriptor& file) {
  std::string text;
  for (;;) {
    const std::size_t before = text.size();
    text.resize(before + chunk_size);
    const ssize_t count = ::read(file.number(), text.data() + before, chunk_size);
    if (count < 0 && errno != EINTR) {
      throw IoError{fmt::format("{}: cannot be read: {}", path, reason())};
    }
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (text.size() > largest_file) {
      refuse({path, 0, 0}, "more than 64 MiB", "a text file of at most 64 MiB");
    }
    if (count == 0) return text;
  }
}

void write_all(const std::string& path, const Descriptor& file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file.number(), text.data(), text.size());
    if (count < 0 && errno != EINTR) cannot_write(path);
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
}

/// A new file in the target's folder, gone again unless it became the target.
class Draft {
 public:
  explicit Draft(std::string target) : target_{std::move(target)} {
    const fs::path folder = fs::path{target_}.parent_path();
    const std::string name = fs::path{target_}.filename().string();
    for (int attempt = 0; !file_.is_open(); ++attempt) {
      path_ = folder / fmt::format(".{}.{}-{}.part", name, ::getpid(), attempt);
      file_ = Descriptor{::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
      if (!file_.is_open() && errno != EEXIST) cannot_write(target_);
    }
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    if (!renamed_) (void)::unlink(path_.c_str());
  }

  void write(std::string_view text) { write_all(target_, file_, text); }
  /// On the disk first, under its name then: a power cut leaves the old file or the new one.
  void become_target() {
    if (::fsync(file_.number()) != 0 || !file_.close()) cannot_write(target_);
    if (::rename(path_.c_str(), target_.c_str()) != 0) cannot_write(target_);
    renamed_ = true;
  }

 private:
  std::string target_;
  fs::path path_;
  Descriptor file_{-1};
  bool renamed_{false};
};

void make_parent(const fs::path& path) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) {
    throw IoError{
        fmt::format("{}: cannot be written: its folder: {}", path.string(), error.message())};
  }
}

}  // namespace

std::string read_text_file(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file.is_open() && (errno == ENOENT || errno == ENOTDIR)) {
    refuse({path, 0, 0}, "no such file", "the path of a text file", similar_file(path));
  }
  if (!file.is_open()) {
    refuse({path, 0, 0}, fmt::format("a file that cannot be opened ({})", reason()),
           "the path of a text file");
  }
  struct stat status {};
  if (::fstat(file.number(), &status) == 0 && S_ISDIR(status.st_mode)) {
    refuse({path, 0, 0}, "a directory", "the path of a text file");
  }
  std::string text = read_all(path, file);
  require_text(path, text);
  return text;
}

void write_text_file(const std::string& path, std::string_view text) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    // A terminal, a pipe, /dev/null: a rename would put a file in the place of the device.
    Descriptor device{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
    if (!device.is_open()) cannot_write(path);
    write_all(path, device, text);
    if (!device.close()) cannot_write(path);
    return;
  }
  make_parent(path);
  std::error_code error;
  const fs::path real = exists ? fs::canonical(path, error) : fs::path{path};  // links stay links
  Draft draft{error ? path : real.string()};
  draft.write(text);
  draft.become_target();
}

}  // namespace dbsim
