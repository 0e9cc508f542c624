#pragma once
// The least time that a device's two peaks allow (Williams, Waterman and Patterson 2009).
#include <algorithm>

#include "bench/kernel_work.hpp"

namespace dbsim::bench {

/// As measured: the fastest large matrix product, the fastest large copy or addition.
struct Peaks {
  double flops_per_second{};
  double bytes_per_second{};
};

/// Seconds. Work over this time is min(peak FLOP/s, FLOP per byte x peak bandwidth), and it is
/// there for work without FLOP too.
inline double roofline_seconds(const Peaks& peaks, const Work& work) {
  return std::max(work.flops / peaks.flops_per_second, work.bytes / peaks.bytes_per_second);
}

}  // namespace dbsim::bench
