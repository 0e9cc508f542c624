#include "sim/base/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace dbsim {

namespace {
std::string to_text(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += dbsim::to_text(problem);
  }
  return text;
}
}  // namespace

std::string to_text(const Problem& problem) {
  std::string text = problem.where.file;
  if (problem.where.line > 0)
    text += fmt::format(":{}:{}", problem.where.line, problem.where.column);
  if (!text.empty()) text += ": ";
  if (!problem.key.empty()) text += problem.key + ": ";
  text += problem.found.starts_with("unknown") ? problem.found : "found " + problem.found;
  if (!problem.expected.empty()) text += "; expected " + problem.expected;
  if (!problem.suggestion.empty()) text += fmt::format("; did you mean '{}'?", problem.suggestion);
  return text;
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error{to_text(problems)}, problems_{std::move(problems)} {}

}  // namespace dbsim
