#pragma once
#include "calib/kernels/host_device.hpp"

namespace dbsim::calib {

/// c = alpha * op(a) * op(b) + beta * c, all row-major; op(a) is m x k, op(b) k x n. A leading
/// dimension is the distance between rows as stored. `batch` products lie `stride` apart.
struct Matmul {
  Index m{0};
  Index n{0};
  Index k{0};
  bool transpose_a{false};
  bool transpose_b{false};
  Index leading_a{0};
  Index leading_b{0};
  Index leading_c{0};
  double alpha{1.0};
  double beta{0.0};
  Index batch{1};
  Index stride_a{0};
  Index stride_b{0};
  Index stride_c{0};
};

}  // namespace dbsim::calib
