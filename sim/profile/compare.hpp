#pragma once
// How far two profiles are apart, batch by batch.
#include <optional>
#include <vector>

#include "sim/profile/profile_document.hpp"

namespace dbsim {

struct ProfileDifference {
  Samples batch;
  double first{};  // seconds of a step
  double second{};
  bool first_measured{};  // otherwise told from its neighbours
  bool second_measured{};
  std::optional<bool> intervals_overlap{};  // where both measured one

  [[nodiscard]] double ratio() const { return second / first; }
  [[nodiscard]] bool common() const { return first_measured && second_measured; }
};

/// One entry for each batch size that either measured and that lies within both ranges, rising.
[[nodiscard]] std::vector<ProfileDifference> differences(const ProfileDocument& first,
                                                         const ProfileDocument& second);

/// Largest |ratio - 1| over batch sizes that both measured; empty when there is none.
[[nodiscard]] std::optional<double> largest_difference(
    const std::vector<ProfileDifference>& differences);

}  // namespace dbsim
