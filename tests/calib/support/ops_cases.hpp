#pragma once
// Cases for every operation of Ops: sizes that fill vectors and warps and sizes that do not, one
// segment and many, short sums and long ones.
#include <cstdint>
#include <string>
#include <vector>

#include "tests/calib/support/ops_case.hpp"

namespace dbsim::calib::test {

using OpCases = std::vector<OpCase>;

[[nodiscard]] OpCases product_cases(std::uint64_t seed);  // convolutions and linear layers
[[nodiscard]] OpCases norm_cases(std::uint64_t seed);
[[nodiscard]] OpCases pooling_cases(std::uint64_t seed);
[[nodiscard]] OpCases elementwise_cases(std::uint64_t seed);
[[nodiscard]] OpCases sequence_cases(std::uint64_t seed);  // embedding, attention, softmax

/// A group's name and its cases.
struct OpGroup {
  const char* name;
  OpCases (*cases)(std::uint64_t seed);
};
[[nodiscard]] const std::vector<OpGroup>& op_groups();

/// Anew in each run, or what the environment variable DBSIM_TEST_SEED says.
[[nodiscard]] std::uint64_t test_seed();

/// Random tensors, each of its own stream.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_{seed} {}
  /// Uniform between the two.
  [[nodiscard]] Tensor input(Index size, double low = -1.7, double high = 1.7);
  /// The same, and an output too.
  [[nodiscard]] Tensor updated(Index size, double low = -1.7, double high = 1.7);
  /// Half of them zero, as a ReLU leaves them.
  [[nodiscard]] Tensor rectified(Index size);
  /// From 0 to below the limit.
  [[nodiscard]] Tensor whole(Index size, Index limit);

 private:
  std::uint64_t seed_;
  std::uint64_t stream_{0};
};

[[nodiscard]] Tensor output(Index size);
/// Of which every device has the same bits.
[[nodiscard]] Tensor exact_output(Index size);
[[nodiscard]] Tensor byte_output(Index size);
[[nodiscard]] Tensor scratch(Index size);

}  // namespace dbsim::calib::test
