#pragma once
// Random bits as a function of a key and a counter, the same on every device and thread.
#include "calib/kernels/host_device.hpp"

namespace dbsim::calib {

/// A well-mixed 64-bit word (the finaliser of SplitMix64, Steele et al. 2014, applied to the
/// counter's place in the key's sequence).
DBSIM_HOST_DEVICE inline std::uint64_t random_bits(std::uint64_t key, std::uint64_t counter) {
  std::uint64_t word = key + (counter + 1) * 0x9E3779B97F4A7C15U;
  word = (word ^ (word >> 30U)) * 0xBF58476D1CE4E5B9U;
  word = (word ^ (word >> 27U)) * 0x94D049BB133111EBU;
  return word ^ (word >> 31U);
}

/// In [0, 1), 24 bits: exact in float and double.
template <class T>
DBSIM_HOST_DEVICE inline T uniform(std::uint64_t key, std::uint64_t counter) {
  return static_cast<T>(random_bits(key, counter) >> 40U) * static_cast<T>(1.0 / 16777216.0);
}

}  // namespace dbsim::calib
