#pragma once
// Where a simulation gets its profiles: a few numbers inside a scenario, or a file
// (profile_document.hpp).
#include <string>
#include <vector>

#include "sim/io/fields.hpp"
#include "sim/profile/profile.hpp"

namespace dbsim {

/// What a profile inside a scenario says before it is known to make sense: everything optional.
struct ProfileDraft {
  std::string device;
  std::string source;
  std::vector<StepTimePoint> points;
  std::optional<Seconds> overhead;  // with per_sample: an affine law instead of points
  std::optional<Seconds> per_sample;
  double spread{};
  std::optional<Samples> max_batch;
};

/// The keys of a profile inside a scenario: batch and step_time, or overhead and per_sample.
void describe_inline_profile(Fields& fields, ProfileDraft& draft);
/// The profile, once its description filed no problem.
[[nodiscard]] Profile finish(ProfileDraft draft);
/// Reads a profile file. Throws InputError with all that is wrong in it.
[[nodiscard]] Profile load_profile(const std::string& path);

}  // namespace dbsim
