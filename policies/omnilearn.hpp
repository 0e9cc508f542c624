#pragma once
// OmniLearn, synchronous (Tyagi and Sharma, IEEE TPDS 2025, arXiv 2503.17469): the proportional
// controller once per epoch, each worker with its own dead-band.
#include <cstdint>
#include <memory>
#include <optional>

#include "sim/policy/policy.hpp"

namespace dbsim {

enum class OmniLearnMode {
  paper,  // the sum is kept, within memory; excess is spread alike over the others
  code    // https://github.com/sahiltyagi4/OmniLearn at 7db5cb0: rounded up everywhere, so that the
          // sum may drift by a sample per worker; bounds of 16 to 96 unless told otherwise
};
struct OmniLearnSettings {
  OmniLearnMode mode{OmniLearnMode::paper};
  double dead_band{0.2};  // of the new local batch
  std::optional<std::int64_t> least{};
  std::optional<std::int64_t> most{};
};

/// After each epoch, b_k' = b_k mean(t) / t_k with t_k the mean step time, for the workers that
/// this changes by the dead-band or more; then bounds, and the sum. In code mode the bounds hold
/// before the sum is mended, as in the program, and memory is unknown.
[[nodiscard]] std::unique_ptr<Policy> make_omnilearn(const OmniLearnSettings& settings = {});

}  // namespace dbsim
