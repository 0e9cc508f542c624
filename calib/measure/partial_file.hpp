#pragma once
// A measurement that was interrupted, kept beside the profile-to-be so that a rerun goes on.
#include <optional>
#include <string>
#include <vector>

#include "calib/measure/samples.hpp"

namespace dbsim::calib {

/// What must be the same for samples to belong together: model, device, options.
struct Condition {
  std::string name;
  std::string value;
  friend bool operator==(const Condition&, const Condition&) = default;
};
using Conditions = std::vector<Condition>;

/// JSON, one visit a line.
[[nodiscard]] std::string partial_text(const Measurement& measurement,
                                       const Conditions& conditions);
/// Throws InputError when the text is no such file, or naming every condition that differs.
[[nodiscard]] Measurement parse_partial(std::string_view text, const std::string& file,
                                        const Conditions& conditions);

/// Empty when there is no such file.
[[nodiscard]] std::optional<Measurement> load_partial(const std::string& path,
                                                      const Conditions& conditions);

}  // namespace dbsim::calib
