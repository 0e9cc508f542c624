#include "calib/network/mpi_all_reduce.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>

#include "calib/network/payload.hpp"

namespace dbsim::calib {

namespace {

/// MPI from beginning to end. Errors of MPI itself end all ranks, which is its default.
class Session {
 public:
  Session() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~Session() { MPI_Finalize(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool all_say(bool value) const {
    int mine = value ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return mine == 1;
  }

 private:
  int rank_{};
  int size_{};
};

std::string processor_name() {
  std::ifstream info{"/proc/cpuinfo"};
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unnamed processor";
}

/// "Open MPI v4.1.4": what comes after tells of the machine that built it.
std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string all{text.data(), static_cast<std::size_t>(length)};
  return all.substr(0, all.find_first_of(",\n"));
}

/// Each rank's text once, in the order of ranks.
std::vector<std::string> distinct_texts(const std::string& mine, int ranks) {
  constexpr std::size_t width = 128;
  std::array<char, width> padded{};
  mine.copy(padded.data(), width - 1);
  std::vector<char> all(width * static_cast<std::size_t>(ranks));
  MPI_Allgather(padded.data(), static_cast<int>(width), MPI_CHAR, all.data(),
                static_cast<int>(width), MPI_CHAR, MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < all.size(); at += width) {
    std::string text{&all[at]};
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
  }
  return texts;
}

class MpiAllReduce : public AllReduce {
 public:
  explicit MpiAllReduce(std::int64_t largest) {
    const std::size_t floats = static_cast<std::size_t>(largest) / sizeof(float);
    bool fits = true;
    try {
      buffer_.resize(floats);
      payload_ = payload(session_.rank(), std::min(floats, payload_block));
    } catch (const std::bad_alloc&) {
      fits = false;
    }
    // All fail together, or the others would wait for ever.
    if (!session_.all_say(fits)) {
      throw std::runtime_error{"a rank has too little memory for the largest message"};
    }
  }

  GroupDescription description() override {
    GroupDescription description;
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, session_.rank(), MPI_INFO_NULL,
                        &host);
    int rank_on_host = 0;
    int ranks_on_host = 0;
    MPI_Comm_rank(host, &rank_on_host);
    MPI_Comm_size(host, &ranks_on_host);
    MPI_Comm_free(&host);
    // One rank of each host speaks for it.
    const int spoken = rank_on_host == 0 ? ranks_on_host : 0;
    std::vector<int> all(static_cast<std::size_t>(session_.size()));
    MPI_Allgather(&spoken, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::ranges::copy_if(all, std::back_inserter(description.ranks_per_host),
                         [](int ranks) { return ranks > 0; });
    description.library = library_version();
    description.devices = distinct_texts(processor_name(), session_.size());
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    if (!session_.all_say(cores == 0 || ranks_on_host <= cores)) {
      description.remarks.emplace_back(
          "Some host had more ranks than cores: the times include waiting for a core.");
    }
    return description;
  }

  bool leads() const override { return session_.rank() == 0; }

  std::vector<double> run(std::int64_t bytes, std::size_t repetitions) override {
    count_ = static_cast<std::size_t>(bytes) / sizeof(float);
    std::vector<double> seconds;
    for (std::size_t i = 0; i < repetitions; ++i) seconds.push_back(run_once());
    MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE,
                  MPI_MAX, MPI_COMM_WORLD);
    return seconds;
  }

  bool sums_are_right() override {
    return session_.all_say(
        are_payload_sums(std::span<const float>{buffer_.data(), count_}, session_.size()));
  }

  bool as_leader_says(bool value) override {
    int said = value ? 1 : 0;
    MPI_Bcast(&said, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return said == 1;
  }

 private:
  double run_once() {
    for (std::size_t at = 0; at < count_; at += payload_.size()) {
      const std::size_t floats = std::min(payload_.size(), count_ - at);
      std::memcpy(&buffer_[at], payload_.data(), floats * sizeof(float));
    }
    using Clock = std::chrono::steady_clock;
    MPI_Barrier(MPI_COMM_WORLD);
    const Clock::time_point begin = Clock::now();
    MPI_Allreduce(MPI_IN_PLACE, buffer_.data(), static_cast<int>(count_), MPI_FLOAT, MPI_SUM,
                  MPI_COMM_WORLD);
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  Session session_;  // first, so that it ends last
  std::vector<float> buffer_;
  std::vector<float> payload_;
  std::size_t count_{};
};

}  // namespace

std::string mpi_unusable() { return {}; }

std::unique_ptr<AllReduce> make_mpi_all_reduce(std::int64_t largest) {
  return std::make_unique<MpiAllReduce>(largest);
}

}  // namespace dbsim::calib
