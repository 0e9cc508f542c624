#include "calib/spec/model_file.hpp"

#include <utility>
#include <vector>

#include "calib/spec/model_draft.hpp"
#include "sim/io/document.hpp"
#include "sim/io/files.hpp"
#include "sim/io/opening.hpp"

namespace dbsim::calib {

Model load_model(const std::string& path) { return parse_model(read_text_file(path), path); }

Model parse_model(std::string_view text, const std::string& file) {
  const Document document = Document::toml(text, file);
  std::vector<BlockDraft> heads;
  std::vector<Problem> said_again;  // by the second reading, with all others
  document.read([&](Fields& fields) { heads = block_heads(fields); }, said_again);
  ModelDraft draft;
  std::vector<Problem> problems;
  document.read([&](Fields& fields) { describe_model(fields, heads, draft); }, problems);
  if (!problems.empty()) throw InputError{std::move(problems)};
  Model model = build_model(draft);
  model.description = opening_sentence(text);
  return model;
}

}  // namespace dbsim::calib
