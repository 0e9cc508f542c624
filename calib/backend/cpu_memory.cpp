#include "calib/backend/cpu_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace dbsim::calib {

namespace {

std::optional<std::int64_t> number_in(const char* path) {
  std::ifstream file{path};
  std::int64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;  // no such file, or "max"
}

std::int64_t available_on_machine() {
  std::ifstream info{"/proc/meminfo"};
  for (std::string word; info >> word;) {
    std::int64_t kibibytes = 0;
    if (word == "MemAvailable:" && info >> kibibytes) return kibibytes * 1024;
  }
  return std::numeric_limits<std::int64_t>::max();
}

}  // namespace

std::int64_t usable_memory() {
  std::int64_t usable = available_on_machine();
  const auto limit = number_in("/sys/fs/cgroup/memory.max");
  const auto used = number_in("/sys/fs/cgroup/memory.current");
  if (limit && used) usable = std::min(usable, std::max<std::int64_t>(0, *limit - *used));
  return usable;
}

double processor_clock() {
  std::ifstream info{"/proc/cpuinfo"};
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("cpu MHz", 0) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) break;
    try {
      return std::stod(line.substr(colon + 1)) * 1e6;
    } catch (const std::exception&) {
      break;
    }
  }
  return 0.0;
}

}  // namespace dbsim::calib
