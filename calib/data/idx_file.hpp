#pragma once
// The files of MNIST and its successors.
#include <cstdint>
#include <string>
#include <vector>

namespace dbsim::calib {

/// An array of bytes, the last index fastest.
struct IdxArray {
  std::vector<std::int64_t> sizes;
  std::vector<std::uint8_t> values;
};

/// Reads an idx file of unsigned bytes (described at the MNIST database, LeCun et al. 1998), plain
/// or compressed with gzip. InputError when it is not one, IoError when it cannot be read.
[[nodiscard]] IdxArray read_idx(const std::string& path);

}  // namespace dbsim::calib
