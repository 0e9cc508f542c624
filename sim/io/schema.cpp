#include "sim/io/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/io/shape.hpp"
#include "sim/io/wording.hpp"

namespace dbsim {

namespace {

using Json = nlohmann::ordered_json;

Json schema_of(const Shape& shape);

Json required_key(const std::string& key) { return {{"required", Json::array({key})}}; }

Json exclusion_schema(const Shape::Exclusion& exclusion) {
  Json alternatives = Json::array();
  if (exclusion.need == Need::required) {
    for (const std::string& key : exclusion.keys) alternatives.push_back(required_key(key));
    return {{"oneOf", alternatives}};
  }
  for (std::size_t i = 0; i < exclusion.keys.size(); ++i) {
    for (std::size_t j = i + 1; j < exclusion.keys.size(); ++j) {
      alternatives.push_back({{"required", Json::array({exclusion.keys[i], exclusion.keys[j]})}});
    }
  }
  return {{"not", {{"anyOf", alternatives}}}};
}

void add_table(const Shape& shape, Json& schema) {
  schema["type"] = "object";
  Json& properties = schema["properties"] = Json::object();
  Json required = Json::array();
  for (const Shape& member : shape.members) {
    properties[member.name] = schema_of(member);
    if (member.need == Need::required) required.push_back(member.name);
  }
  if (!required.empty()) schema["required"] = required;
  schema["additionalProperties"] = false;
  for (const Shape::Exclusion& exclusion : shape.exclusions) {
    schema["allOf"].push_back(exclusion_schema(exclusion));
  }
}

void add_text(const Shape& shape, Json& schema) {
  schema["type"] = "string";
  if (!shape.choices.empty()) schema["enum"] = shape.choices;
  if (!shape.pattern.empty()) schema["pattern"] = shape.pattern;
}

void add_whole(const WholeRange& range, Json& schema) {
  schema["type"] = "integer";
  if (range.least != std::numeric_limits<std::int64_t>::min()) schema["minimum"] = range.least;
  if (range.most != std::numeric_limits<std::int64_t>::max()) schema["maximum"] = range.most;
}

void add_number(const NumberRange& range, Json& schema) {
  schema["type"] = "number";
  const bool open = range.lower == NumberRange::Lower::open;
  if (!std::isinf(range.least)) schema[open ? "exclusiveMinimum" : "minimum"] = range.least;
  if (!std::isinf(range.most)) schema["maximum"] = range.most;
}

Json schema_of(const Shape& shape) {
  Json schema = Json::object();
  if (!shape.meaning.empty()) schema["description"] = shape.meaning;
  switch (shape.kind) {
    case Shape::Kind::any:
      break;
    case Shape::Kind::text:
      add_text(shape, schema);
      break;
    case Shape::Kind::boolean:
      schema["type"] = "boolean";
      break;
    case Shape::Kind::whole:
      add_whole(shape.whole, schema);
      break;
    case Shape::Kind::number:
      add_number(shape.number, schema);
      break;
    case Shape::Kind::list:
      schema["type"] = "array";
      schema["items"] = schema_of(shape.parts.front());
      break;
    case Shape::Kind::table:
      add_table(shape, schema);
      break;
    case Shape::Kind::either:
      for (const Shape& part : shape.parts) schema["anyOf"].push_back(schema_of(part));
      break;
  }
  return schema;
}

/// Writes the sections, each table before those inside it.
class Reference {
 public:
  explicit Reference(std::string_view title) : text_{fmt::format("# {}\n", title)} {}

  // Any shape at its path; only tables make a section.
  void add(const Shape& shape, const std::string& path) {
    if (shape.kind == Shape::Kind::list) add(shape.parts.front(), path + "[]");
    if (shape.kind == Shape::Kind::either) {
      for (const Shape& part : shape.parts) add(part, path);
    }
    if (shape.kind != Shape::Kind::table) return;
    section(shape, path);
    for (const Shape& member : shape.members) add(member, joined_path(path, member.name));
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void section(const Shape& shape, const std::string& path) {
    text_ += path.empty() ? "\n## Top level\n\n" : fmt::format("\n## `{}`\n\n", path);
    if (!shape.meaning.empty()) text_ += shape.meaning + "\n\n";
    text_ += "| key | value | needed | meaning |\n| --- | --- | --- | --- |\n";
    for (const Shape& member : shape.members) {
      text_ += fmt::format("| `{}` | {} | {} | {} |\n", member.name,
                           cell(form_of(member, joined_path(path, member.name))),
                           member.need == Need::required ? "yes" : "no", cell(member.meaning));
    }
    for (const Shape::Exclusion& exclusion : shape.exclusions) {
      text_ += fmt::format("\n{} one of `{}` is given.\n",
                           exclusion.need == Need::required ? "Exactly" : "At most",
                           fmt::join(exclusion.keys, "`, `"));
    }
  }

  static std::string form_of(const Shape& shape, const std::string& path) {
    switch (shape.kind) {
      case Shape::Kind::any:
        return "anything";
      case Shape::Kind::list:
        return "a list, each: " + form_of(shape.parts.front(), path + "[]");
      case Shape::Kind::table:
        return fmt::format("a table, see `{}`", path);
      case Shape::Kind::either:
        break;
      default:
        return shape.choices.empty() ? shape.form : choice_form(shape.choices);
    }
    std::vector<std::string> forms;
    for (const Shape& part : shape.parts) forms.push_back(form_of(part, path));
    return fmt::format("{}", fmt::join(forms, "; or "));
  }

  // Quoted, as the file needs them.
  static std::string choice_form(const std::vector<std::string>& choices) {
    const std::string words = fmt::format("\"{}\"", fmt::join(choices, "\", \""));
    return choices.size() == 1 ? words : "one of " + words;
  }

  // A bar would end the cell.
  static std::string cell(std::string_view text) {
    std::string result;
    for (const char c : text) {
      if (c == '|') result += '\\';
      result += c;
    }
    return result;
  }

  std::string text_;
};

void note_units(const Shape& shape, std::string& text) {
  for (const QuantityWords* words : {&duration_words, &size_words, &bandwidth_words}) {
    const std::string line = fmt::format("- {}: {}\n", words->name, words->units);
    const bool is_meant = shape.form.starts_with(short_form(*words));
    if (is_meant && text.find(line) == text.npos) text += line;
  }
  for (const Shape& member : shape.members) note_units(member, text);
  for (const Shape& part : shape.parts) note_units(part, text);
}

}  // namespace

std::string json_schema(std::string_view id, std::string_view title,
                        const Description& description) {
  Json schema{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"$id", id}, {"title", title}};
  schema.update(schema_of(shape_of(description)));
  return schema.dump(2) + "\n";
}

std::string markdown_reference(std::string_view title, const Description& description) {
  const Shape root = shape_of(description);
  Reference reference{title};
  reference.add(root, {});
  std::string units;
  note_units(root, units);
  const std::string heading = units.empty() ? "" : "\n## Units\n\n";
  return reference.text() + heading + units;
}

}  // namespace dbsim
