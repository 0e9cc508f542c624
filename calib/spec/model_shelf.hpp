#pragma once
// The models in a folder, found by name.
#include <cstdint>
#include <string>
#include <vector>

#include "calib/spec/model.hpp"

namespace dbsim::calib {

struct ModelSummary {
  std::string name;
  std::string description;  // the sentence that its file opens with
  std::int64_t parameters{};
  double forward_multiply_adds{};  // of one sample
};

/// All models of the folder (NAME.toml), by name. InputError when the folder cannot be read, or one
/// of the files.
[[nodiscard]] std::vector<ModelSummary> list_models(const std::string& folder);
/// The model called `name`. InputError, with the nearest name, when the folder has none.
[[nodiscard]] Model find_model(const std::string& name, const std::string& folder);

}  // namespace dbsim::calib
