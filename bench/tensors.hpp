#pragma once
// Tensors of one kernel in a device's memory, gone with this object.
#include <cstdint>
#include <vector>

#include "bench/kernel_work.hpp"
#include "calib/backend/network.hpp"
#include "calib/kernels/random.hpp"

namespace dbsim::bench {

/// All functions throw calib::OutOfMemory.
class Tensors {
 public:
  explicit Tensors(calib::Device& device) : device_{device} {}

  /// Random in [-1, 1).
  [[nodiscard]] float* values(Index size) {
    std::vector<float> host(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < host.size(); ++i) {
      host[i] = 2.0F * calib::uniform<float>(memory_.size(), i) - 1.0F;
    }
    return copied(host);
  }
  /// Random in [0, limit).
  [[nodiscard]] const std::int32_t* whole(Index size, Index limit) {
    std::vector<std::int32_t> host(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < host.size(); ++i) {
      host[i] = static_cast<std::int32_t>(calib::random_bits(memory_.size(), i) %
                                          static_cast<std::uint64_t>(limit));
    }
    return copied(host);
  }
  template <class Value>
  [[nodiscard]] Value* copied(const std::vector<Value>& host) {
    const std::size_t bytes = host.size() * sizeof(Value);
    memory_.emplace_back(device_, static_cast<std::int64_t>(bytes));
    device_.upload(memory_.back().data(), host.data(), bytes);
    return reinterpret_cast<Value*>(memory_.back().data());
  }

 private:
  calib::Device& device_;
  std::vector<calib::DeviceMemory> memory_;
};

}  // namespace dbsim::bench
