#include "calib/backend/cpu_device.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string_view>
#include <vector>

#include "calib/backend/cpu_memory.hpp"
#include "calib/backend/matrix_product.hpp"
#include "calib/backend/onednn.hpp"

namespace dbsim::calib {

namespace {

std::string processor_name() {
  std::ifstream info{"/proc/cpuinfo"};
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

class CpuDevice : public Device {
 public:
  CpuDevice(int threads, CpuLibrary library) : threads_{threads}, library_{library} {}

  [[nodiscard]] DeviceDescription description() const override {
    DeviceDescription description;
    description.name =
        fmt::format("{}, {} thread{}", processor_name(), threads_, threads_ == 1 ? "" : "s");
    description.memory_bytes = usable_memory();
    description.backend = library_ == CpuLibrary::onednn ? onednn_version() : eigen_version();
    return description;
  }

  [[nodiscard]] DeviceState state() override {
    DeviceState state;
    state.clock_hz = processor_clock();
    return state;
  }

  [[nodiscard]] void* allocate(std::size_t bytes) override {
    // The kernel promises more than it has and ends the process later; ask first.
    if (static_cast<std::int64_t>(bytes) > usable_memory()) return nullptr;
    const std::size_t rounded = (bytes + page - 1) / page * page;
    void* memory = std::aligned_alloc(page, rounded);
    // Touched now, so that the first step does not pay for it.
    if (memory != nullptr) std::memset(memory, 0, rounded);
    return memory;
  }
  void release(void* memory) override { std::free(memory); }
  void upload(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  void wait() override {}
  void mark(int number) override {
    const auto index = static_cast<std::size_t>(number);
    if (index >= marks_.size()) marks_.resize(index + 1);
    marks_[index] = std::chrono::steady_clock::now();
  }
  [[nodiscard]] double seconds(int from, int to) override {
    return std::chrono::duration<double>(marks_[static_cast<std::size_t>(to)] -
                                         marks_[static_cast<std::size_t>(from)])
        .count();
  }

 private:
  static constexpr std::size_t page = 4096;
  int threads_;
  CpuLibrary library_;
  std::vector<std::chrono::steady_clock::time_point> marks_;
};

}  // namespace

std::unique_ptr<Device> make_cpu_device(int threads, CpuLibrary library) {
  return std::make_unique<CpuDevice>(threads, library);
}

}  // namespace dbsim::calib
