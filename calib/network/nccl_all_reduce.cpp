#include "calib/network/nccl_all_reduce.hpp"

#include <cuda_runtime.h>
#include <fmt/format.h>
#include <nccl.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "calib/network/payload.hpp"

namespace dbsim::calib {

namespace {

void must(cudaError_t result, const char* call) {
  if (result == cudaSuccess) return;
  throw std::runtime_error{fmt::format("{}: {} (CUDA error {})", call, cudaGetErrorString(result),
                                       static_cast<int>(result))};
}

void must(ncclResult_t result, const char* call) {
  if (result == ncclSuccess) return;
  throw std::runtime_error{fmt::format("{}: {} (NCCL error {})", call, ncclGetErrorString(result),
                                       static_cast<int>(result))};
}

/// One GPU's share of the work.
class Lane {
 public:
  // Delegating makes it an object before anything is acquired, so that a failure releases the rest.
  Lane(int device, std::size_t largest_floats) : Lane{device} {
    select();
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    must(cudaEventCreate(&begin_), "cudaEventCreate");
    must(cudaEventCreate(&end_), "cudaEventCreate");
    payload_floats_ = std::min(largest_floats, payload_block);
    must(cudaMalloc(&buffer_, largest_floats * sizeof(float)), "cudaMalloc");
    must(cudaMalloc(&payload_, payload_floats_ * sizeof(float)), "cudaMalloc");
    const std::vector<float> values = payload(device, payload_floats_);
    must(cudaMemcpy(payload_, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice),
         "cudaMemcpy");
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  // What fails while releasing has failed before, and was reported then.
  ~Lane() {
    (void)cudaSetDevice(device_);
    (void)cudaFree(payload_);
    (void)cudaFree(buffer_);
    if (end_ != nullptr) (void)cudaEventDestroy(end_);
    if (begin_ != nullptr) (void)cudaEventDestroy(begin_);
    if (stream_ != nullptr) (void)cudaStreamDestroy(stream_);
  }

  void fill(std::size_t count) {
    select();
    for (std::size_t at = 0; at < count; at += payload_floats_) {
      const std::size_t floats = std::min(payload_floats_, count - at);
      must(cudaMemcpyAsync(buffer_ + at, payload_, floats * sizeof(float), cudaMemcpyDeviceToDevice,
                           stream_),
           "cudaMemcpyAsync");
    }
  }
  void wait() {
    select();
    must(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  }
  void mark_begin() {
    select();
    must(cudaEventRecord(begin_, stream_), "cudaEventRecord");
  }
  void mark_end() {
    select();
    must(cudaEventRecord(end_, stream_), "cudaEventRecord");
  }
  /// Between the marks, both of which have passed.
  [[nodiscard]] double seconds() const {
    float milliseconds = 0.0F;
    must(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
    return 1e-3 * static_cast<double>(milliseconds);
  }
  void add_up(std::size_t count, ncclComm_t communicator) {
    must(ncclAllReduce(buffer_, buffer_, count, ncclFloat, ncclSum, communicator, stream_),
         "ncclAllReduce");
  }
  [[nodiscard]] std::vector<float> content(std::size_t count) const {
    must(cudaSetDevice(device_), "cudaSetDevice");
    std::vector<float> values(count);
    must(cudaMemcpy(values.data(), buffer_, count * sizeof(float), cudaMemcpyDeviceToHost),
         "cudaMemcpy");
    return values;
  }
  [[nodiscard]] std::string name() const {
    cudaDeviceProp properties{};
    must(cudaGetDeviceProperties(&properties, device_), "cudaGetDeviceProperties");
    return properties.name;
  }

 private:
  explicit Lane(int device) : device_{device} {}
  void select() { must(cudaSetDevice(device_), "cudaSetDevice"); }

  int device_;
  cudaStream_t stream_{};
  cudaEvent_t begin_{};
  cudaEvent_t end_{};
  float* buffer_{};
  float* payload_{};
  std::size_t payload_floats_{};
};

class Communicators {
 public:
  explicit Communicators(int devices) : all_(static_cast<std::size_t>(devices)) {
    std::vector<int> numbers(all_.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    must(ncclCommInitAll(all_.data(), devices, numbers.data()), "ncclCommInitAll");
  }
  ~Communicators() {
    for (const ncclComm_t one : all_) (void)ncclCommDestroy(one);
  }
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;
  [[nodiscard]] ncclComm_t of(std::size_t rank) const { return all_[rank]; }

 private:
  std::vector<ncclComm_t> all_;
};

/// The NCCL that runs, which may be newer than the one that was compiled against.
std::string library_version() {
  int version = 0;
  must(ncclGetVersion(&version), "ncclGetVersion");
  constexpr int major_unit = 10'000;
  constexpr int minor_unit = 100;
  int driver = 0;
  must(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  constexpr int cuda_major_unit = 1000;
  constexpr int cuda_minor_unit = 10;
  return fmt::format("NCCL {}.{}.{}, CUDA driver {}.{}", version / major_unit,
                     version % major_unit / minor_unit, version % minor_unit,
                     driver / cuda_major_unit, driver % cuda_major_unit / cuda_minor_unit);
}

class NcclAllReduce : public AllReduce {
 public:
  NcclAllReduce(int devices, std::int64_t largest) {
    for (int device = 0; device < devices; ++device) {
      lanes_.push_back(
          std::make_unique<Lane>(device, static_cast<std::size_t>(largest) / sizeof(float)));
    }
    communicators_ = std::make_unique<Communicators>(devices);
  }

  GroupDescription description() override {
    GroupDescription description;
    description.ranks_per_host = {static_cast<std::int64_t>(lanes_.size())};
    description.library = library_version();
    for (const auto& lane : lanes_) {
      std::string name = lane->name();
      const auto& known = description.devices;
      if (std::ranges::find(known, name) == known.end()) {
        description.devices.push_back(std::move(name));
      }
    }
    return description;
  }

  bool leads() const override { return true; }

  std::vector<double> run(std::int64_t bytes, std::size_t repetitions) override {
    count_ = static_cast<std::size_t>(bytes) / sizeof(float);
    std::vector<double> seconds;
    for (std::size_t i = 0; i < repetitions; ++i) seconds.push_back(run_once());
    return seconds;
  }

  bool sums_are_right() override {
    return std::ranges::all_of(lanes_, [&](const auto& lane) {
      return are_payload_sums(lane->content(count_), static_cast<int>(lanes_.size()));
    });
  }

  bool as_leader_says(bool value) override { return value; }

 private:
  double run_once() {
    for (const auto& lane : lanes_) lane->fill(count_);
    for (const auto& lane : lanes_) lane->wait();
    for (const auto& lane : lanes_) lane->mark_begin();
    must(ncclGroupStart(), "ncclGroupStart");
    for (std::size_t rank = 0; rank < lanes_.size(); ++rank) {
      lanes_[rank]->add_up(count_, communicators_->of(rank));
    }
    must(ncclGroupEnd(), "ncclGroupEnd");
    for (const auto& lane : lanes_) lane->mark_end();
    double slowest = 0.0;
    for (const auto& lane : lanes_) {
      lane->wait();
      slowest = std::max(slowest, lane->seconds());
    }
    return slowest;
  }

  std::vector<std::unique_ptr<Lane>> lanes_;
  std::unique_ptr<Communicators> communicators_;
  std::size_t count_{};
};

struct Devices {
  int count{};
  std::string unusable;
};

Devices devices() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result != cudaSuccess) {
    return {.count = 0,
            .unusable = fmt::format("no CUDA device: {} (CUDA error {})",
                                    cudaGetErrorString(result), static_cast<int>(result))};
  }
  if (count == 0) return {.count = 0, .unusable = "no CUDA device"};
  return {.count = count, .unusable = {}};
}

}  // namespace

std::string nccl_unusable() { return devices().unusable; }

int nccl_devices() { return devices().count; }

std::unique_ptr<AllReduce> make_nccl_all_reduce(std::int64_t largest) {
  return std::make_unique<NcclAllReduce>(nccl_devices(), largest);
}

}  // namespace dbsim::calib
