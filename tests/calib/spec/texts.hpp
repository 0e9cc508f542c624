#pragma once
// Model files for tests, most of it written by the helper.
#include <string>

#include "calib/spec/model_file.hpp"
#include "sim/base/error.hpp"

namespace dbsim::calib::test {

/// A model of 8x8x4 images and ten classes; the layers begin in line 5, column 11.
inline std::string image_model(const std::string& layers, const std::string& blocks = "") {
  return "model = 1\nname = \"m\"\ninput = [8, 8, 4]\nclasses = 10\nlayers = [" + layers + "]\n" +
         blocks;
}

/// The same of four out of fifty tokens.
inline std::string text_model(const std::string& layers) {
  return "model = 1\nname = \"m\"\ninput = { tokens = 50, length = 4 }\nclasses = 10\nlayers = [" +
         layers + "]\n";
}

/// All problems of a text, one a line; empty when it is a model.
inline std::string problems_of(const std::string& text) {
  try {
    (void)parse_model(text, "m.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// What brings any image to ten classes.
inline const std::string head =
    R"({ op = "global_average_pool" }, { op = "linear", features = 10 })";

}  // namespace dbsim::calib::test
