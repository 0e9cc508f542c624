#include "sim/import/nccl_log.hpp"

#include <algorithm>
#include <cstddef>

namespace dbsim {

namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// HOST:PID:THREAD
bool names_thread(std::string_view word) {
  const std::size_t last = word.rfind(':');
  if (last == std::string_view::npos || last == 0) return false;
  const std::size_t before = word.rfind(':', last - 1);
  return before != std::string_view::npos && is_digits(word.substr(last + 1)) &&
         is_digits(word.substr(before + 1, last - before - 1));
}

void take_off_tag(std::vector<Word>& words) {
  if (words.empty() || !words.front().text.starts_with('[')) return;
  constexpr std::string_view end = ">:";
  const std::size_t at = words.front().text.find(end);
  if (at == std::string_view::npos) return;
  words.front().text.remove_prefix(at + end.size());
  words.front().column += static_cast<int>(at + end.size());
  if (words.front().text.empty()) words.erase(words.begin());
}

}  // namespace

NcclLogLine without_messages(std::string_view line) {
  NcclLogLine result{.words = words_of(line)};
  take_off_tag(result.words);
  std::vector<Word>& words = result.words;
  if (words.empty() || words.front().text.starts_with('#')) return result;
  const auto name = std::ranges::find(words, std::string_view{"NCCL"}, &Word::text);
  if (name == words.end()) return result;
  const auto begin = std::find_if(words.begin(), name, [](const Word& word) {
    return word.text.find('[') != std::string_view::npos || names_thread(word.text);
  });
  result.glued = begin != words.begin() && begin != name && !begin->text.starts_with('[');
  words.erase(begin, words.end());
  return result;
}

}  // namespace dbsim
