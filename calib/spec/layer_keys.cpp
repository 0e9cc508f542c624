#include "calib/spec/layer_keys.hpp"

#include <fmt/format.h>

#include <array>

namespace dbsim::calib {

FileKeys::FileKeys(Fields& fields, std::span<const std::string> parameters,
                   std::vector<Given>& given)
    : fields_{fields}, given_{given} {
  for (const std::string& parameter : parameters) words_.push_back("$" + parameter);
}

void FileKeys::whole(const Key& key, const WholeRange& range, std::int64_t& /*value*/) {
  read_size(fields_, key, range, key.name);
}

void FileKeys::pair(const Key& key, const WholeRange& range, std::int64_t& /*height*/,
                    std::int64_t& /*width*/) {
  const auto one = [&](Fields& fields, const Key& it) { read_size(fields, it, range, key.name); };
  const auto both = [&](Fields& fields, const Key& it) {
    constexpr std::array<std::string_view, 2> sides{"height", "width"};
    std::size_t count = 0;
    fields.items(it, [&](Fields& element) {
      const std::string_view side = sides.at(count < 2 ? count : 1);
      ++count;
      read_size(element, {"", key.meaning}, range, fmt::format("{}.{}", key.name, side));
    });
    if (count != 2 && !fields.describing())
      fields.problem(key.name, fmt::format("a list of {}", count), "[height, width]");
  };
  std::vector<Fields::Alternative> forms{{ValueType::whole, one}, {ValueType::list, both}};
  if (!words_.empty()) forms.push_back({ValueType::text, one});
  fields_.either(key, forms);
}

void FileKeys::number(const Key& key, const NumberRange& range, double& value) {
  if (fields_.number(key, range, value))
    given_.push_back(
        {std::string{key.name}, value, fields_.where(key.name), fields_.path(key.name)});
}

void FileKeys::boolean(const Key& key, bool& value) {
  if (fields_.boolean(key, value))
    given_.push_back(
        {std::string{key.name}, value, fields_.where(key.name), fields_.path(key.name)});
}

void FileKeys::read_size(Fields& fields, const Key& key, const WholeRange& range,
                         std::string_view as) {
  const auto note = [&](Fields& from, const auto& value) {
    given_.push_back({std::string{as}, value, from.where(key.name), from.path(key.name)});
  };
  const auto read_number = [&](Fields& from, const Key& it) {
    std::int64_t number = range.least - 1;
    from.whole(it, range, number);
    if (number >= range.least) note(from, number);
  };
  if (words_.empty()) {
    read_number(fields, key);
    return;
  }
  const auto read_word = [&](Fields& from, const Key& it) {
    const std::vector<std::string_view> words(words_.begin(), words_.end());
    std::string word;
    from.choice(it, words, word);
    if (!word.empty()) note(from, ParameterName{word.substr(1)});
  };
  const std::array<Fields::Alternative, 2> forms{Fields::Alternative{ValueType::whole, read_number},
                                                 Fields::Alternative{ValueType::text, read_word}};
  fields.either(key, forms);
}

void IgnoredKeys::ignore(std::string_view name) {
  constexpr std::array<ValueType, 6> types{ValueType::text,   ValueType::boolean, ValueType::whole,
                                           ValueType::number, ValueType::list,    ValueType::table};
  std::vector<Fields::Alternative> forms;
  for (const ValueType type : types) forms.push_back({type, [](Fields&, const Key&) {}});
  fields_.either({name, ""}, forms);
}

void IgnoredKeys::whole(const Key& key, const WholeRange& /*range*/, std::int64_t& /*value*/) {
  ignore(key.name);
}
void IgnoredKeys::pair(const Key& key, const WholeRange& /*range*/, std::int64_t& /*height*/,
                       std::int64_t& /*width*/) {
  ignore(key.name);
}
void IgnoredKeys::number(const Key& key, const NumberRange& /*range*/, double& /*value*/) {
  ignore(key.name);
}
void IgnoredKeys::boolean(const Key& key, bool& /*value*/) { ignore(key.name); }

}  // namespace dbsim::calib
