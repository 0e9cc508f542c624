#include "calib/spec/model_shelf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "calib/spec/model_file.hpp"
#include "sim/base/error.hpp"
#include "sim/io/nearest.hpp"
#include "sim/io/wording.hpp"

namespace dbsim::calib {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it{folder, error}, end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".toml") names.push_back(it->path().stem().string());
  }
  if (error)
    throw InputError{{{{folder, 0, 0}, {}, error.message(), "a folder of model files", {}}}};
  std::ranges::sort(names);
  return names;
}

std::string file_of(const std::string& name, const std::string& folder) {
  return (fs::path{folder} / (name + ".toml")).string();
}

}  // namespace

std::vector<ModelSummary> list_models(const std::string& folder) {
  std::vector<ModelSummary> models;
  for (const std::string& name : names_in(folder)) {
    const Model model = load_model(file_of(name, folder));
    models.push_back(
        {name, model.description, model.parameter_count(), model.forward_multiply_adds()});
  }
  return models;
}

Model find_model(const std::string& name, const std::string& folder) {
  const std::vector<std::string> names = names_in(folder);
  if (std::ranges::find(names, name) != names.end()) return load_model(file_of(name, folder));
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw InputError{
      {{{folder, 0, 0}, {}, in_quotes(name), one_of_words(known), nearest(name, known)}}};
}

}  // namespace dbsim::calib
