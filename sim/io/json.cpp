#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/base/error.hpp"
#include "sim/io/parse.hpp"
#include "sim/io/utf8.hpp"
#include "sim/io/wording.hpp"

namespace dbsim {

namespace {

/// Follows the parser through the text. It reports tokens in order but not where they stand, so
/// each report moves this over the blanks and separators before its token, and then over the token
/// itself.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_{text}, rest_{text} {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }

  struct Token {
    std::string_view text;
    Position at;
  };

  /// The next token; the cursor then stands behind it.
  Token next() {
    skip(" \t\r\n,:");
    return take(token_length());
  }

  /// The token that the parser stumbled over, having read so many bytes. A comma or colon may be
  /// the culprit.
  Token culprit(std::size_t bytes_read) {
    skip(" \t\r\n");
    while (text_.size() - rest_.size() + 1 < bytes_read && begins_with_any(",:")) {
      move(1);
      skip(" \t\r\n");
    }
    return take(std::max<std::size_t>(token_length(), 1));
  }

 private:
  void skip(std::string_view characters) {
    move(std::min(rest_.find_first_not_of(characters), rest_.size()));
  }

  [[nodiscard]] bool begins_with_any(std::string_view characters) const {
    return !rest_.empty() && characters.find(rest_.front()) != std::string_view::npos;
  }

  void move(std::size_t count) {
    at_ = advanced(at_, rest_.substr(0, count));
    rest_.remove_prefix(std::min(count, rest_.size()));
  }

  Token take(std::size_t count) {
    const Token token{rest_.substr(0, count), at_};
    move(count);
    return token;
  }

  // What an accepted token is made of follows from its first character.
  [[nodiscard]] std::size_t token_length() const {
    if (rest_.empty()) return 0;
    if (begins_with_any("[]{}")) return 1;
    if (rest_[0] != '"') return std::min(rest_.find_first_of(" \t\r\n,:[]{}"), rest_.size());
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
    return std::min(end + 1, rest_.size());
  }

  std::string_view text_;
  std::string_view rest_;
  Position at_{1, 1};
};

enum class Nulls { refused, absent };

/// Builds the tree from the parser's reports (its SAX interface, whose names and types are given).
class Builder {
 public:
  Builder(std::string_view text, const std::string& file, Nulls nulls)
      : text_{text}, file_{file}, nulls_{nulls}, cursor_{text} {}

  // NOLINTBEGIN(readability-identifier-naming)
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;
  // NOLINTEND(readability-identifier-naming)

  bool null() {
    const Position at = cursor_.next().at;
    if (nulls_ == Nulls::absent && !open_.empty()) {
      if (auto* table = std::get_if<Table>(&open_.back().data)) table->pop_back();
      return true;
    }
    file_problem(at, "null", "a value, or no such key");
    return add({false, at});
  }
  bool boolean(bool flag) { return add({flag, cursor_.next().at}); }
  bool number_integer(number_integer_t number) {
    return add({std::int64_t{number}, cursor_.next().at});
  }
  bool number_unsigned(number_unsigned_t number) {
    const Position at = cursor_.next().at;
    if (number <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max())) {
      return add({static_cast<std::int64_t>(number), at});
    }
    return add({static_cast<double>(number), at});
  }
  bool number_float(number_float_t number, const string_t&) {
    return add({number, cursor_.next().at});
  }
  bool string(string_t& text) { return add({std::move(text), cursor_.next().at}); }
  bool binary(binary_t&) { return false; }  // not in JSON text

  bool start_object(std::size_t) { return open({Table{}, cursor_.next().at}); }
  bool start_array(std::size_t) { return open({List{}, cursor_.next().at}); }
  bool end_object() {
    refuse_duplicates(std::get<Table>(open_.back().data));
    return close();
  }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    const Position at = cursor_.next().at;
    auto& table = std::get<Table>(open_.back().data);
    table.push_back({std::move(name), at, {false, {}}});
    return true;
  }

  bool parse_error(std::size_t bytes_read, const std::string& /*token*/,
                   const nlohmann::json::exception& error);

  [[nodiscard]] std::vector<Problem>& problems() { return problems_; }
  [[nodiscard]] Value& root() { return root_; }

 private:
  void file_problem(const Position& at, std::string found, std::string expected) {
    problems_.push_back(
        {{file_, at.line, at.column}, {}, std::move(found), std::move(expected), {}});
  }

  void refuse_duplicates(const Table& table) {
    std::vector<const Entry*> entries;
    entries.reserve(table.size());
    for (const Entry& entry : table) entries.push_back(&entry);
    const auto key = [](const Entry* entry) -> const std::string& { return entry->key; };
    std::ranges::stable_sort(entries, {}, key);
    for (std::size_t i = 1; i < entries.size(); ++i) {
      if (entries[i]->key != entries[i - 1]->key) continue;
      file_problem(entries[i]->key_at, in_quotes(entries[i]->key) + " a second time",
                   "each key once");
    }
  }

  bool add(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    if (auto* list = std::get_if<List>(&open_.back().data)) {
      list->push_back(std::move(value));
    } else {
      std::get<Table>(open_.back().data).back().value = std::move(value);
    }
    return true;
  }

  bool open(Value value) {
    const Position at = value.at;
    open_.push_back(std::move(value));
    if (open_.size() <= static_cast<std::size_t>(deepest_nesting)) return true;
    file_problem(at, "a value inside too many others",
                 "at most " + std::to_string(deepest_nesting) + " levels");
    return false;
  }

  bool close() {
    (void)cursor_.next().at;
    Value value = std::move(open_.back());
    open_.pop_back();
    return add(std::move(value));
  }

  std::string_view text_;
  const std::string& file_;
  Nulls nulls_;
  Cursor cursor_;
  std::vector<Value> open_;  // from the outermost inwards
  Value root_{};
  std::vector<Problem> problems_;
};

std::string_view after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  return at == std::string_view::npos ? std::string_view{} : text.substr(at + mark.size());
}

// The parser's "; expected ..." in our words.
std::string expected_words(std::string_view message) {
  const std::string_view words = after(message, "; expected ");
  if (words.empty() || words.starts_with("'[', '{'")) return "a value";
  if (words == "string literal") return "a key in quotes";
  if (words == "'}'" || words == "']'") return "',' or " + std::string{words};
  return words == "end of input" ? "the end of the file" : printable(words);
}

// The message is "[ID] parse error at line 1, column 2: syntax error while parsing SCOPE - REASON;
// last read: 'x'; expected B", or "[ID] number overflow parsing 'x'".
bool Builder::parse_error(std::size_t bytes_read, const std::string& /*token*/,
                          const nlohmann::json::exception& error) {
  const std::string_view message = error.what();
  const std::string_view reason = after(message, " - ");
  if (reason.starts_with("unexpected end of input")) {
    const Position end = advanced({1, 1}, text_);
    file_problem(end, "the end of the file", expected_words(message));
  } else if (reason.starts_with("unexpected ") || reason.starts_with("invalid literal")) {
    const Cursor::Token culprit = cursor_.culprit(bytes_read);
    file_problem(culprit.at, printable(culprit.text), expected_words(message));
  } else if (reason.empty()) {
    const Cursor::Token number = cursor_.next();
    file_problem(number.at, printable(number.text), "a number within the range of a double");
  } else {
    const Position at = advanced({1, 1}, text_.substr(0, std::max<std::size_t>(bytes_read, 1) - 1));
    const std::string_view plain = reason.substr(0, reason.find("; last read"));
    file_problem(at, "JSON that cannot be read: " + std::string{plain}, {});
  }
  return false;
}

Value parse(std::string_view text, const std::string& file, Nulls nulls) {
  Builder builder{text, file, nulls};
  const bool complete = nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  check(complete || !builder.problems().empty(), "a JSON parser that stops says why");
  if (!builder.problems().empty()) throw InputError{std::move(builder.problems())};
  if (!std::holds_alternative<Table>(builder.root().data)) {
    const Position at = builder.root().at;
    throw InputError{
        {{{file, at.line, at.column}, {}, shown(builder.root()), "a table in braces", {}}}};
  }
  return std::move(builder.root());
}

}  // namespace

Value parse_json(std::string_view text, const std::string& file) {
  return parse(text, file, Nulls::refused);
}

Value parse_foreign_json(std::string_view text, const std::string& file) {
  return parse(text, file, Nulls::absent);
}

}  // namespace dbsim
