#pragma once
// The device and the model that a user named, or every reason why not.
#include <filesystem>
#include <string>
#include <vector>

#include "calib/app/request.hpp"
#include "calib/backend/devices.hpp"

namespace dbsim::calib {

struct ChosenDevice {
  const DeviceFamily* family{};
  ListedDevice device;
};

/// The device of that name, or the first usable one. UsageError says exactly why not and, where
/// the CPU can be used instead, how; also when it lacks the backend or the precision.
[[nodiscard]] ChosenDevice choose_device(const DeviceFamilies& families, const Request& request);

/// A file where the name ends in .toml; NAME or NAME-DATASET of the folder otherwise.
[[nodiscard]] Model choose_model(const Request& request, const std::filesystem::path& folder);

/// What --list prints: devices, those that cannot be used with the reason, and models.
[[nodiscard]] std::string listing(const DeviceFamilies& families,
                                  const std::filesystem::path& folder);

}  // namespace dbsim::calib
