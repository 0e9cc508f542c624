#pragma once
// Models as people write them: scenarios/models/*.toml, described in docs/models.md.
#include <string>
#include <string_view>

#include "calib/spec/model.hpp"

namespace dbsim::calib {

/// Reads a model file. Throws InputError with all that is wrong in it; of layers that do not fit
/// together, the first.
[[nodiscard]] Model load_model(const std::string& path);
/// The same from text; `file` stands for it in messages.
[[nodiscard]] Model parse_model(std::string_view text, const std::string& file);
/// What docs/models.md says of the keys: Markdown, from the description that reads them.
[[nodiscard]] std::string model_reference();

}  // namespace dbsim::calib
