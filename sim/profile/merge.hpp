#pragma once
// Two measurements of one device and model made into one profile.
#include <string>

#include "sim/profile/profile_document.hpp"

namespace dbsim {

struct NamedProfile {
  std::string file;  // named in messages and remarks
  ProfileDocument document;
};

/// The points of both. Of a batch size that both measured, the point with more repetitions; with as
/// many, or where neither says, the first's. The smaller of two memory limits; the rest from the
/// first, where it says something. The remarks say what was chosen. InputError when device, model,
/// or what else must agree does not.
[[nodiscard]] ProfileDocument merged(const NamedProfile& first, const NamedProfile& second);

}  // namespace dbsim
