#include "sim/io/opening.hpp"

#include <algorithm>

namespace dbsim {

std::string opening_sentence(std::string_view text) {
  std::string sentence;
  std::size_t begin = 0;
  while (begin < text.size() && text[begin] == '#') {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (!sentence.empty()) sentence += ' ';
    const std::size_t word = std::min(begin + 2, end);
    sentence += text.substr(word, end - word);
    if (sentence.ends_with('.')) break;
    begin = end + 1;
  }
  const std::size_t stop = sentence.find(". ");
  return stop == std::string::npos ? sentence : sentence.substr(0, stop + 1);
}

}  // namespace dbsim
