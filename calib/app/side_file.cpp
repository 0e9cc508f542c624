#include "calib/app/side_file.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include "sim/io/files.hpp"

namespace dbsim::calib {

SideFile::SideFile(const std::string& profile, Conditions conditions)
    : path_{profile + ".partial"}, conditions_{std::move(conditions)} {}

std::optional<Measurement> SideFile::load() const { return load_partial(path_, conditions_); }

void SideFile::save(const Measurement& measurement) const {
  write_text_file(path_, partial_text(measurement, conditions_));
}

void SideFile::remove() const {
  std::error_code ignored;  // it may never have been written
  std::filesystem::remove(path_, ignored);
}

}  // namespace dbsim::calib
