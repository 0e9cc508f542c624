#pragma once
// The panels of a drawing of profiles.
#include <optional>
#include <string>
#include <vector>

#include "sim/figure/figure.hpp"
#include "sim/profile/compare.hpp"
#include "sim/profile/profile_document.hpp"

namespace dbsim {

/// One profile as it is drawn.
struct DrawnProfile {
  const ProfileDocument& document;  // outlives it
  StepTimeCurve curve;
  std::string name;
  Colour colour{};

  /// Of its batches.
  [[nodiscard]] double first() const;
  [[nodiscard]] double last() const;
  /// Seconds of a step there.
  [[nodiscard]] double first_time() const;
  [[nodiscard]] double last_time() const;
  /// The end of memory, where that is not so far away that the picture would be of nothing else.
  [[nodiscard]] std::optional<double> limit() const;
};
using DrawnProfiles = std::vector<DrawnProfile>;

/// Step time, and throughput, by batch: all subjects in each.
[[nodiscard]] std::vector<Panel> curve_panels(const DrawnProfiles& subjects);
/// Where the time of a step goes, by batch; empty where the profile does not say.
[[nodiscard]] std::optional<Panel> phases_panel(const DrawnProfile& subject);
/// What other tasks cost; empty where that was not measured.
[[nodiscard]] std::optional<Panel> interference_panel(const DrawnProfile& subject);
/// The second's step time over the first's, by batch, beside a line at 1; grey dots are told from
/// their neighbours.
[[nodiscard]] Panel ratio_panel(const DrawnProfiles& both,
                                const std::vector<ProfileDifference>& differences);

/// "1,024", "3.206": four digits that count.
[[nodiscard]] std::string four_digits(double value);

}  // namespace dbsim
