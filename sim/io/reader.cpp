#include "sim/io/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "sim/io/nearest.hpp"
#include "sim/io/quantity.hpp"
#include "sim/io/wording.hpp"

namespace dbsim {

namespace {

ValueType type_of(const Value& value) {
  constexpr std::array<ValueType, 6> types{ValueType::boolean, ValueType::whole, ValueType::number,
                                           ValueType::text,    ValueType::list,  ValueType::table};
  return types.at(value.data.index());
}

bool inside(double x, const NumberRange& range) {
  const bool above = range.lower == NumberRange::Lower::open ? x > range.least : x >= range.least;
  return above && x <= range.most;
}

class Reader final : public Fields {
 public:
  Reader(const Value& value, std::string path, const Reading& reading)
      : value_{value}, path_{std::move(path)}, reading_{reading} {}

  bool text(const Key& key, std::string& value) override {
    const Value* found = take(key, name_of(ValueType::text));
    if (const auto* text = as<std::string>(found, name_of(ValueType::text))) value = *text;
    return found != nullptr;
  }

  bool choice(const Key& key, std::span<const std::string_view> allowed,
              std::string& value) override {
    const std::string form = one_of_words(allowed);
    const Value* found = take(key, form);
    const auto* text = as<std::string>(found, form);
    if (text == nullptr) return found != nullptr;
    if (std::ranges::find(allowed, std::string_view{*text}) != allowed.end()) {
      value = *text;
    } else {
      file_problem({key.name, found->at}, in_quotes(*text), form, nearest(*text, allowed));
    }
    return true;
  }

  bool boolean(const Key& key, bool& value) override {
    const Value* found = take(key, name_of(ValueType::boolean));
    if (const auto* flag = as<bool>(found, name_of(ValueType::boolean))) value = *flag;
    return found != nullptr;
  }

  bool whole(const Key& key, const WholeRange& range, std::int64_t& value) override {
    const std::string limits = range_words(range);
    const std::string form = with_range(name_of(ValueType::whole), limits);
    const Value* found = take(key, form);
    const auto* number = as<std::int64_t>(found, form);
    if (number == nullptr) return found != nullptr;
    if (*number >= range.least && *number <= range.most) {
      value = *number;
    } else {
      file_problem({key.name, found->at}, shown(*found), limits);
    }
    return true;
  }

  bool number(const Key& key, const NumberRange& range, double& value) override;

  bool duration(const Key& key, const NumberRange& range, Seconds& value) override {
    return quantity(key, range, {duration_words, parse_duration}, value);
  }
  bool size(const Key& key, const NumberRange& range, Bytes& value) override {
    return quantity(key, range, {size_words, parse_size}, value);
  }
  bool bandwidth(const Key& key, const NumberRange& range, BytesPerSecond& value) override {
    return quantity(key, range, {bandwidth_words, parse_bandwidth}, value);
  }

  bool parsed(const Key& key, std::string_view form, std::string_view /*pattern*/,
              const std::function<bool(std::string_view)>& parse) override {
    const Value* found = take(key, form);
    const auto* text = as<std::string>(found, form);
    if (text != nullptr && !parse(*text)) {
      file_problem({key.name, found->at}, in_quotes(*text), std::string{form});
    }
    return found != nullptr;
  }

  bool table(const Key& key, const std::function<void(Fields&)>& describe) override {
    const Value* found = take(key, name_of(ValueType::table));
    if (as<Table>(found, name_of(ValueType::table)) != nullptr) {
      Reader inner{*found, path(key.name), reading_};
      describe(inner);
      inner.finish();
    }
    return found != nullptr;
  }

  bool items(const Key& key, const std::function<void(Fields&)>& describe) override {
    const Value* found = take(key, name_of(ValueType::list));
    const auto* list = as<List>(found, name_of(ValueType::list));
    if (list == nullptr) return found != nullptr;
    for (std::size_t i = 0; i < list->size(); ++i) {
      Reader element{(*list)[i], fmt::format("{}[{}]", path(key.name), i), reading_};
      describe(element);
      element.finish();
    }
    return true;
  }

  bool either(const Key& key, std::span<const Alternative> alternatives) override;
  void one_of(std::span<const std::string_view> keys, Need need) override;

  [[nodiscard]] Where where(std::string_view key) const override {
    const Value* found = look(key);
    return reading_.where(found != nullptr ? found->at : value_.at);
  }

  [[nodiscard]] std::string path(std::string_view key) const override {
    return joined_path(path_, key);
  }

  void problem(std::string_view key, std::string found, std::string expected,
               std::string suggestion) override {
    reading_.add(
        {where(key), path(key), std::move(found), std::move(expected), std::move(suggestion)});
  }

  [[nodiscard]] bool describing() const override { return false; }

  /// When the description is done: what nobody asked for, and what is missing, are problems.
  void finish();

 private:
  struct Place {
    std::string_view key;
    Position at;
  };
  struct Missing {
    std::string key;
    std::string form;
  };
  template <class Result>
  struct QuantityReader {
    const QuantityWords& words;
    std::optional<Result> (*parse)(std::string_view);
  };

  void file_problem(const Place& place, std::string found, std::string expected,
                    std::string suggestion = {}) {
    reading_.add({reading_.where(place.at), path(place.key), std::move(found), std::move(expected),
                  std::move(suggestion)});
  }

  [[nodiscard]] const Value* look(std::string_view key) const {
    if (key.empty()) return &value_;
    const auto* table = std::get_if<Table>(&value_.data);
    return table != nullptr ? find(*table, key) : nullptr;
  }

  /// The key's value, and a note that the key is known and perhaps missing.
  const Value* take(const Key& key, std::string_view form) {
    const bool fresh = std::ranges::find(known_, key.name) == known_.end();
    if (!key.name.empty() && fresh) known_.emplace_back(key.name);
    const Value* found = look(key.name);
    if (found == nullptr && key.need == Need::required) {
      missing_.push_back({std::string{key.name}, std::string{form}});
    }
    if (found != nullptr) taken_ = {key.name, found->at};
    return found;
  }

  /// The value as one type, or a problem where `take` found it. Null in, null out.
  template <class Type>
  const Type* as(const Value* found, std::string_view form) {
    if (found == nullptr) return nullptr;
    const auto* value = std::get_if<Type>(&found->data);
    if (value == nullptr) file_problem(taken_, shown(*found), std::string{form});
    return value;
  }

  template <class Result>
  bool quantity(const Key& key, const NumberRange& range, const QuantityReader<Result>& reader,
                Result& value) {
    const std::string form = full_form(reader.words);
    const Value* found = take(key, form);
    if (found == nullptr) return false;
    const auto* text = std::get_if<std::string>(&found->data);
    const std::optional<Result> result = text != nullptr ? reader.parse(*text) : std::nullopt;
    if (!result) {
      file_problem(taken_, text != nullptr ? in_quotes(*text) : shown(*found), form);
    } else if (!inside(result->count(), range)) {
      file_problem(taken_, printable(*text), range_words(range, reader.words.limit));
    } else {
      value = *result;
    }
    return true;
  }

  void file_unknown_keys(const Table& table);

  const Value& value_;
  std::string path_;
  const Reading& reading_;
  Place taken_;
  std::vector<std::string> known_;
  std::vector<Missing> missing_;
};

bool Reader::number(const Key& key, const NumberRange& range, double& value) {
  const std::string limits = range_words(range, plain_words);
  const std::string form = with_range(name_of(ValueType::number), limits);
  const Value* found = take(key, form);
  if (found == nullptr) return false;
  const auto* whole = std::get_if<std::int64_t>(&found->data);
  const double* real = whole == nullptr ? as<double>(found, form) : nullptr;
  if (whole == nullptr && real == nullptr) return true;
  const double number = whole != nullptr ? static_cast<double>(*whole) : *real;
  if (!std::isfinite(number)) {
    file_problem(taken_, shown(*found), with_range("a finite number", limits));
  } else if (!inside(number, range)) {
    file_problem(taken_, shown(*found), limits);
  } else {
    value = number;
  }
  return true;
}

bool Reader::either(const Key& key, std::span<const Alternative> alternatives) {
  std::vector<std::string_view> names;
  for (const Alternative& alternative : alternatives) names.push_back(name_of(alternative.type));
  const std::string form = fmt::format("{}", fmt::join(names, " or "));
  const Value* found = take(key, form);
  if (found == nullptr) return false;
  const auto meant = [&](ValueType type) {
    const auto match = std::ranges::find(alternatives, type, &Alternative::type);
    if (match == alternatives.end()) return false;
    match->describe(*this, key);
    return true;
  };
  const ValueType type = type_of(*found);
  const bool understood = meant(type) || (type == ValueType::whole && meant(ValueType::number));
  if (!understood) file_problem({key.name, found->at}, shown(*found), form);
  return true;
}

void Reader::one_of(std::span<const std::string_view> keys, Need need) {
  std::vector<std::string_view> given;
  for (const std::string_view key : keys) {
    if (look(key) != nullptr) given.push_back(key);
  }
  if (given.size() > 1) {
    problem(given[1], fmt::format("{} together", fmt::join(given, " and ")),
            "only " + one_of_words(keys), {});
  } else if (given.empty() && need == Need::required) {
    problem({}, "nothing", one_of_words(keys), {});
  }
}

void Reader::finish() {
  const auto* table = std::get_if<Table>(&value_.data);
  if (table != nullptr && !known_.empty()) file_unknown_keys(*table);
  if (table == nullptr && !known_.empty()) {
    file_problem({{}, value_.at}, shown(value_), std::string{name_of(ValueType::table)});
    return;
  }
  for (const Missing& missing : missing_) {
    file_problem({missing.key, value_.at}, "nothing", missing.form);
  }
}

void Reader::file_unknown_keys(const Table& table) {
  const std::vector<std::string_view> known{known_.begin(), known_.end()};
  for (const Entry& entry : table) {
    if (std::ranges::find(known_, entry.key) != known_.end()) continue;
    const std::string suggestion = nearest(entry.key, known);
    file_problem({entry.key, entry.key_at}, "unknown key",
                 suggestion.empty() ? one_of_words(known) : "", suggestion);
    // Said once: the misspelled key is the missing one.
    std::erase_if(missing_, [&](const Missing& missing) { return missing.key == suggestion; });
  }
}

}  // namespace

Where Reading::where(const Position& at) const {
  if (at.origin == 0) return {file, at.line, at.column};
  return {origins[static_cast<std::size_t>(at.origin) - 1], 0, 0};
}

void Reading::add(Problem problem) const {
  constexpr std::size_t most = 1000;
  if (problems.size() < most) problems.push_back(std::move(problem));
}

void read_tree(const Value& root, const Description& description, const Reading& reading) {
  Reader reader{root, {}, reading};
  description(reader);
  reader.finish();
}

}  // namespace dbsim
