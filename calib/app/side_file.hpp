#pragma once
// The file beside the profile-to-be that keeps samples until the profile is complete.
#include <optional>
#include <string>

#include "calib/measure/partial_file.hpp"
#include "calib/measure/samples.hpp"

namespace dbsim::calib {

class SideFile {
 public:
  SideFile(const std::string& profile, Conditions conditions);
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Empty where there is none. InputError when it belongs to another measurement.
  [[nodiscard]] std::optional<Measurement> load() const;
  void save(const Measurement& measurement) const;
  void remove() const;

 private:
  std::string path_;
  Conditions conditions_;
};

}  // namespace dbsim::calib
