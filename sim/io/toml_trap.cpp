#include "sim/io/toml_trap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/io/utf8.hpp"
#include "sim/io/value.hpp"
#include "sim/io/wording.hpp"

namespace dbsim {

namespace {

constexpr std::string_view blanks = " \t";

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80U; }

bool begins_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '"' || c == '\'';
}

// A number, true, false or a date.
bool begins_word(char c) {
  return c > ' ' && std::string_view{"[]{},#\"'"}.find(c) == std::string_view::npos;
}

/// A scan that knows just enough TOML to tell keys, strings, comments and brackets apart. It may
/// lose its way in text that is malformed, but not before the place where toml++ stops.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_{text} {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
  }

  std::optional<TomlTrap> first_trap() {
    while (at_ < text_.size() && !trap_) {
      step();
      if (header_ + outside_ + frame_.dots > deepest_nesting) {
        refuse("a value inside too many others", fmt::format("at most {} levels", deepest_nesting));
      }
    }
    return trap_;
  }

 private:
  /// What is open between one bracket and the next.
  struct Frame {
    bool is_list{false};
    bool in_value{false};  // dots are decimal points
    int dots{0};           // of the key being written
  };

  void step() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return skip_string(c);
    if (c == '#') return skip_to(text_.find('\n', at_));
    if (c == '[' && line_is_empty_) return open_header();
    if (!is_ascii(c)) return refuse(character(), "text in quotes");
    if (frame_.in_value && begins_word(c)) return skip_word();
    if (c == '\n' && open_.empty()) {
      frame_ = {};
      in_header_ = false;
      line_is_empty_ = true;
    } else if (c == '[' || c == '{') {
      open(c == '[');
    } else if ((c == ']' || c == '}') && !open_.empty()) {
      if (frame_.is_list != (c == ']')) return refuse_closing();
      close();
    } else if (c == ',' && !open_.empty()) {
      frame_ = {frame_.is_list, frame_.is_list, 0};
    } else if (c == '=') {
      frame_.in_value = true;
    } else if (c == '.') {
      count_dot();
    }
    if (c > ' ') line_is_empty_ = false;
    ++at_;
  }

  void open(bool is_list) {
    outside_ += frame_.dots + 1;
    open_.push_back(frame_);
    frame_ = {is_list, is_list, 0};
  }

  void close() {
    frame_ = open_.back();
    open_.pop_back();
    outside_ -= frame_.dots + 1;
  }

  void refuse_closing() { refuse(character(), frame_.is_list ? "',' or ']'" : "',' or '}'"); }

  void count_dot() {
    if (in_header_) {
      ++header_;
    } else if (!frame_.in_value) {
      ++frame_.dots;
    }
  }

  // "[a.b]" or "[[a.b]]": all keys up to the next header are that much deeper.
  void open_header() {
    in_header_ = true;
    line_is_empty_ = false;
    for (header_ = 0; header_ < 2 && text_.substr(at_).starts_with('['); ++at_) ++header_;
    skip_to(text_.find_first_not_of(blanks, at_));
    if (at_ < text_.size() && !begins_key(text_[at_])) refuse(character(), "a key");
  }

  // Quotes inside a word begin no string: toml++ looks at all of it before it says so.
  void skip_word() {
    line_is_empty_ = false;
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,]}#", at_), text_.size());
    while (at_ < end && is_ascii(text_[at_])) ++at_;
  }

  void skip_string(char quote) {
    line_is_empty_ = false;
    const bool triple = text_.substr(at_, 3) == std::string(3, quote);
    const std::string_view end = text_.substr(at_, triple ? 3 : 1);
    at_ += end.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(end)) {
      if (!triple && text_[at_] == '\n') return;  // unterminated: toml++ stops here too
      if (quote == '"' && text_[at_] == '\\') {
        skip_escape(triple);
      } else {
        ++at_;
      }
    }
    skip_to(at_ + end.size());
    // Up to two quotes may stand before the closing three.
    for (int extra = 0; triple && extra < 2 && text_.substr(at_).starts_with(quote); ++extra) ++at_;
  }

  void skip_escape(bool triple) {
    if (triple) {
      const std::size_t next = text_.find_first_not_of(" \t\r\n", at_ + 1);
      if (next != std::string_view::npos && !is_ascii(text_[next])) {
        skip_to(next);
        return refuse(character(), "a letter of ASCII after a backslash");
      }
    }
    skip_to(at_ + 2);
  }

  void skip_to(std::size_t offset) { at_ = std::min(offset, text_.size()); }

  [[nodiscard]] std::string character() const {
    return printable(
        text_.substr(at_, std::max<std::size_t>(character_length(text_.substr(at_)), 1)));
  }

  void refuse(std::string found, std::string expected) {
    if (!trap_) trap_ = TomlTrap{at_, std::move(found), std::move(expected)};
    skip_to(text_.size());
  }

  std::string_view text_;
  std::size_t at_{0};
  std::optional<TomlTrap> trap_;
  int header_{0};   // depth of the latest header
  int outside_{0};  // depth of the brackets that are open
  Frame frame_;
  std::vector<Frame> open_;
  bool in_header_{false};
  bool line_is_empty_{true};
};

}  // namespace

std::optional<TomlTrap> first_trap(std::string_view text) { return Scan{text}.first_trap(); }

}  // namespace dbsim
