#pragma once
// Samples become a profile.
#include <optional>
#include <string>
#include <vector>

#include "calib/backend/step_runner.hpp"
#include "calib/measure/interval.hpp"
#include "calib/measure/measure.hpp"
#include "calib/measure/samples.hpp"
#include "calib/measure/visits.hpp"
#include "calib/spec/model.hpp"
#include "sim/profile/profile_document.hpp"

namespace dbsim::calib {

/// What the samples do not say.
struct ProfileFacts {
  const Model& model;
  DeviceDescription device;
  std::vector<GradientBucket> buckets;
  std::string precision;
  std::string date;  // ISO 8601, UTC
};

/// Batches with fewer than two visits that count are left out: nobody could say how far to trust
/// them.
[[nodiscard]] ProfileDocument make_profile(const Measurement& measurement,
                                           const MeasureOptions& options,
                                           const ProfileFacts& facts);

/// Of all steps of the visits that count; empty below two visits.
[[nodiscard]] std::optional<TimeStatistics> statistics_of(const std::vector<Visit>& visits,
                                                          Part part, const RunNoise& noise);

}  // namespace dbsim::calib
