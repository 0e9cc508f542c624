#pragma once
// What a person would see: problems as lines of text, and what a call complains of.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/io/document.hpp"

namespace dbsim {

inline std::string lines(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += (text.empty() ? "" : "\n") + to_text(problem);
  return text;
}

/// What an InputError says, or "nothing".
inline std::string complaint(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return lines(error.problems());
  }
  return "nothing";
}

inline std::string reading(const Document& document, const Description& description) {
  std::vector<Problem> problems;
  document.read(description, problems);
  return lines(problems);
}

/// What reading this TOML, called f.toml, complains of; empty when all is well.
inline std::string reading(std::string_view toml, const Description& description) {
  return reading(Document::toml(toml, "f.toml"), description);
}

}  // namespace dbsim
