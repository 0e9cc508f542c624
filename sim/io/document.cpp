#include "sim/io/document.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <tuple>
#include <utility>

#include "sim/io/files.hpp"
#include "sim/io/parse.hpp"
#include "sim/io/reader.hpp"
#include "sim/io/value.hpp"

namespace dbsim {

Document::Document(std::unique_ptr<Value> root, std::string file)
    : root_{std::move(root)}, file_{std::move(file)} {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Document Document::toml(std::string_view text, std::string file) {
  auto root = std::make_unique<Value>(parse_toml(text, file));
  return Document{std::move(root), std::move(file)};
}

Document Document::json(std::string_view text, std::string file) {
  auto root = std::make_unique<Value>(parse_json(text, file));
  return Document{std::move(root), std::move(file)};
}

Document Document::load(const std::string& path) {
  const std::string text = read_text_file(path);
  const bool is_json = std::filesystem::path{path}.extension() == ".json";
  return is_json ? json(text, path) : toml(text, path);
}

void Document::read(const Description& description, std::vector<Problem>& problems) const {
  std::vector<Problem> found;
  read_tree(*root_, description, {file_, origins_, found});
  // A description visits keys in its own order; people work through the file from top to bottom.
  std::ranges::stable_sort(found, {}, [](const Problem& problem) {
    return std::tuple{problem.where.line, problem.where.column};
  });
  std::ranges::move(found, std::back_inserter(problems));
}

}  // namespace dbsim
