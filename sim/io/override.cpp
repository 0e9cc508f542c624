// Document::set: one value of a document changed from outside, as `--set KEY=VALUE` does.
#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/io/document.hpp"
#include "sim/io/nearest.hpp"
#include "sim/io/parse.hpp"
#include "sim/io/utf8.hpp"
#include "sim/io/value.hpp"
#include "sim/io/wording.hpp"

namespace dbsim {

namespace {

using Step = std::variant<std::string, std::size_t>;  // a key or a name; an index

constexpr std::string_view path_form =
    R"(a path such as "job.epochs", "worker[0].count" or "worker.slow.count")";

/// What went wrong on the way, with the option itself as its place.
class Complaint {
 public:
  explicit Complaint(std::string_view key) : key_{key} {}
  [[nodiscard]] std::string place() const { return "--set " + printable(key_); }
  [[noreturn]] void fail(const std::string& key, std::string found, std::string expected,
                         std::string suggestion = {}) const {
    throw InputError{
        {{{place(), 0, 0}, key, std::move(found), std::move(expected), std::move(suggestion)}}};
  }

 private:
  std::string_view key_;
};

std::optional<std::size_t> as_index(std::string_view digits) {
  std::size_t index = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, index);
  if (digits.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return index;
}

/// "worker[0].count" as `worker`, 0, `count`.
std::vector<Step> steps_of(std::string_view whole_key, const Complaint& complaint) {
  const auto refuse = [&] { complaint.fail({}, in_quotes(whole_key), std::string{path_form}); };
  std::vector<Step> steps;
  std::string_view key = whole_key;
  for (bool more = true; more;) {
    const std::string_view name = key.substr(0, key.find_first_of(".[]"));
    if (name.empty()) refuse();
    steps.emplace_back(std::string{name});
    key.remove_prefix(name.size());
    while (key.starts_with('[')) {
      const std::size_t close = key.find(']');
      const auto index = as_index(key.substr(1, close == key.npos ? 0 : close - 1));
      if (!index) refuse();
      steps.emplace_back(*index);
      key.remove_prefix(close + 1);
    }
    more = !key.empty();
    if (more && !key.starts_with('.')) refuse();
    if (more) key.remove_prefix(1);
  }
  if (steps.size() > static_cast<std::size_t>(deepest_nesting)) refuse();
  return steps;
}

void stamp(Value& value, const Position& at) {
  value.at = at;
  if (auto* list = std::get_if<List>(&value.data)) {
    for (Value& element : *list) stamp(element, at);
  } else if (auto* table = std::get_if<Table>(&value.data)) {
    for (Entry& entry : *table) {
      entry.key_at = at;
      stamp(entry.value, at);
    }
  }
}

/// Text that reads as one TOML value is that value; any other is text itself, unless it opens like
/// a value.
Value value_of(std::string_view text, const Complaint& complaint) {
  if (first_not_utf8(text) || text.find('\0') != text.npos) {
    complaint.fail({}, in_quotes(text), "text in UTF-8");
  }
  const bool opens_like_a_value = text.find_first_of("\"'[{") == 0;
  // A second line could smuggle in a second key.
  if (text.find('\n') != text.npos) {
    if (opens_like_a_value) complaint.fail({}, in_quotes(text), "a value on one line");
    return {std::string{text}, {}};
  }
  try {
    Value root = parse_toml(fmt::format("value = {}", text), complaint.place());
    return std::move(std::get<Table>(root.data).front().value);
  } catch (const InputError& error) {
    const Problem& problem = error.problems().front();
    if (opens_like_a_value) complaint.fail({}, problem.found, problem.expected);
    return {std::string{text}, {}};
  }
}

std::string_view name_of_element(const Value& element) {
  const auto* table = std::get_if<Table>(&element.data);
  const Value* name = table != nullptr ? find(*table, "name") : nullptr;
  const auto* text = name != nullptr ? std::get_if<std::string>(&name->data) : nullptr;
  return text != nullptr ? std::string_view{*text} : std::string_view{};
}

/// Walks from the root to the value that is meant, making the tables on its way that do not exist.
class Walk {
 public:
  Walk(Value& root, const Position& at, const Complaint& complaint)
      : here_{&root}, at_{at}, complaint_{complaint} {}

  void take(const Step& step) {
    const auto* index = std::get_if<std::size_t>(&step);
    if (index != nullptr) return take_index(*index);
    const auto& name = std::get<std::string>(step);
    if (auto* list = std::get_if<List>(&here_->data)) return take_named(*list, name);
    auto* table = std::get_if<Table>(&here_->data);
    if (table == nullptr) complaint_.fail(path_, shown(*here_), "a table or a list");
    take_key(*table, name);
  }

  [[nodiscard]] Value& here() const { return *here_; }

 private:
  void take_index(std::size_t index) {
    auto* list = std::get_if<List>(&here_->data);
    if (list == nullptr) complaint_.fail(path_, is_new_ ? "nothing" : shown(*here_), "a list");
    if (index >= list->size()) {
      complaint_.fail(path_, fmt::format("index {}", index), index_words(*list));
    }
    enter((*list)[index], fmt::format("[{}]", index));
  }

  void take_key(Table& table, const std::string& name) {
    Value* value = find(table, name);
    is_new_ = value == nullptr;
    if (is_new_) value = &table.emplace_back(Entry{name, at_, {Table{}, at_}}).value;
    path_ = joined_path(path_, name);
    here_ = value;
  }

  void take_named(List& list, const std::string& name) {
    std::vector<std::string_view> known;
    for (Value& element : list) {
      const std::string_view candidate = name_of_element(element);
      if (candidate == name) return enter(element, "." + path_part(name));
      if (!candidate.empty()) known.push_back(candidate);
    }
    complaint_.fail(joined_path(path_, name), "no element of this name",
                    known.empty() ? index_words(list) : one_of_words(known), nearest(name, known));
  }

  void enter(Value& element, const std::string& path) {
    here_ = &element;
    is_new_ = false;
    path_ += path;
  }

  static std::string index_words(const List& list) {
    if (list.empty()) return "another key, as this list is empty";
    return fmt::format("an index from [0] to [{}]", list.size() - 1);
  }

  Value* here_;
  Position at_;
  const Complaint& complaint_;
  std::string path_;
  bool is_new_{false};
};

}  // namespace

void Document::set(std::string_view key, std::string_view value) {
  const Complaint complaint{key};
  const std::vector<Step> steps = steps_of(key, complaint);
  const Position at{0, 0, static_cast<int>(origins_.size()) + 1};
  Value wanted = value_of(value, complaint);
  stamp(wanted, at);
  Value changed = *root_;  // so that a path that leads nowhere changes nothing
  Walk walk{changed, at, complaint};
  for (const Step& step : steps) walk.take(step);
  walk.here() = std::move(wanted);
  *root_ = std::move(changed);
  origins_.push_back(complaint.place());
}

}  // namespace dbsim
