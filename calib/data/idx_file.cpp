#include "calib/data/idx_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "sim/base/error.hpp"

namespace dbsim::calib {

namespace {

constexpr std::uint8_t unsigned_bytes = 0x08;
constexpr std::int64_t most_values = std::int64_t{1} << 32U;
// A broken file may announce any size: memory follows what is there.
constexpr std::int64_t chunk_size = std::int64_t{1} << 20U;

class IdxReader {
 public:
  explicit IdxReader(const std::string& path) : path_{path}, file_{gzopen(path.c_str(), "rb")} {
    if (file_ != nullptr) return;
    if (errno == ENOENT) refuse("no such file", "the path of an idx file");
    throw IoError{fmt::format("{}: cannot be read: {}", path_, std::strerror(errno))};
  }

  [[nodiscard]] IdxArray read() {
    IdxArray array;
    std::array<std::uint8_t, 4> head{};
    take_all(head, "the first four bytes");
    if (head[0] != 0 || head[1] != 0) {
      refuse(fmt::format("a file that begins with the bytes {:02x} {:02x}", head[0], head[1]),
             "an idx file, which begins with 00 00");
    }
    if (head[2] != unsigned_bytes) {
      refuse(fmt::format("values of type {:02x}", head[2]), "unsigned bytes, type 08");
    }
    std::int64_t count = 1;
    for (std::uint8_t i = 0; i < head[3]; ++i) {
      std::array<std::uint8_t, 4> bytes{};
      take_all(bytes, "its sizes");
      std::int64_t size = 0;
      for (const std::uint8_t byte : bytes) size = size * 256 + byte;
      array.sizes.push_back(size);
      if (size > 0 && count > most_values / size) {
        refuse("more values than any data set has", "at most 2^32 values");
      }
      count *= size;
    }
    take_values(count, array.values);
    return array;
  }

 private:
  struct Close {
    void operator()(gzFile_s* file) const { (void)gzclose(file); }
  };

  [[noreturn]] void refuse(std::string found, std::string expected) const {
    throw InputError{{{{path_, 0, 0}, {}, std::move(found), std::move(expected), {}}}};
  }

  /// How many bytes there were, at most as many as there is room for.
  std::size_t take(std::span<std::uint8_t> to) {
    const int taken = gzread(file_.get(), to.data(), static_cast<unsigned>(to.size()));
    int code = Z_OK;
    const char* const reason = gzerror(file_.get(), &code);
    if (code == Z_ERRNO) {
      throw IoError{fmt::format("{}: cannot be read: {}", path_, std::strerror(errno))};
    }
    if (taken < 0 || code == Z_BUF_ERROR) {
      refuse(fmt::format("broken compression ({})", reason), "a whole gzip file");
    }
    return static_cast<std::size_t>(taken);
  }

  void take_all(std::span<std::uint8_t> to, const char* what) {
    if (take(to) < to.size()) refuse(fmt::format("a file that ends in {}", what), "an idx file");
  }

  void take_values(std::int64_t count, std::vector<std::uint8_t>& values) {
    while (static_cast<std::int64_t>(values.size()) < count) {
      const std::size_t before = values.size();
      const auto wanted = std::min(chunk_size, count - static_cast<std::int64_t>(before));
      values.resize(before + static_cast<std::size_t>(wanted));
      const std::size_t taken = take(std::span{values}.subspan(before));
      if (taken < static_cast<std::size_t>(wanted)) {
        refuse(fmt::format("{} values", before + taken), fmt::format("the announced {}", count));
      }
    }
    std::array<std::uint8_t, 1> beyond{};
    if (take(beyond) > 0) {
      refuse(fmt::format("more than {} values", count), fmt::format("the announced {}", count));
    }
  }

  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
};

}  // namespace

IdxArray read_idx(const std::string& path) { return IdxReader{path}.read(); }

}  // namespace dbsim::calib
