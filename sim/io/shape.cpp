#include "sim/io/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/io/wording.hpp"

namespace dbsim {

namespace {

/// Fields that read nothing and note every call.
class Describer final : public Fields {
 public:
  Describer(Shape& shape, std::string path) : shape_{shape}, path_{std::move(path)} {}

  bool text(const Key& key, std::string& /*value*/) override {
    return simple(key, Shape::Kind::text, name_of(ValueType::text));
  }

  bool choice(const Key& key, std::span<const std::string_view> allowed,
              std::string& /*value*/) override {
    Shape shape{.kind = Shape::Kind::text, .form = one_of_words(allowed)};
    shape.choices.assign(allowed.begin(), allowed.end());
    return note(key, std::move(shape));
  }

  bool boolean(const Key& key, bool& /*value*/) override {
    return simple(key, Shape::Kind::boolean, name_of(ValueType::boolean));
  }

  bool whole(const Key& key, const WholeRange& range, std::int64_t& /*value*/) override {
    return note(key, {.kind = Shape::Kind::whole,
                      .form = with_range(name_of(ValueType::whole), range_words(range)),
                      .whole = range});
  }

  bool number(const Key& key, const NumberRange& range, double& /*value*/) override {
    const std::string limits = range_words(range, plain_words);
    return note(key, {.kind = Shape::Kind::number,
                      .form = with_range(name_of(ValueType::number), limits),
                      .number = range});
  }

  bool duration(const Key& key, const NumberRange& range, Seconds& /*value*/) override {
    return quantity(key, range, duration_words);
  }
  bool size(const Key& key, const NumberRange& range, Bytes& /*value*/) override {
    return quantity(key, range, size_words);
  }
  bool bandwidth(const Key& key, const NumberRange& range, BytesPerSecond& /*value*/) override {
    return quantity(key, range, bandwidth_words);
  }

  bool parsed(const Key& key, std::string_view form, std::string_view pattern,
              const std::function<bool(std::string_view)>& /*parse*/) override {
    return note(
        key,
        {.kind = Shape::Kind::text, .form = std::string{form}, .pattern = std::string{pattern}});
  }

  bool table(const Key& key, const std::function<void(Fields&)>& describe) override {
    return note(key, inner(Shape::Kind::table, path(key.name), describe));
  }

  bool items(const Key& key, const std::function<void(Fields&)>& describe) override {
    Shape list{.kind = Shape::Kind::list};
    list.parts.push_back(inner(Shape::Kind::any, path(key.name) + "[]", describe));
    return note(key, std::move(list));
  }

  bool either(const Key& key, std::span<const Alternative> alternatives) override {
    Shape shape{.kind = Shape::Kind::either};
    for (const Alternative& alternative : alternatives) {
      Shape alone;
      Describer fields{alone, path_};
      alternative.describe(fields, key);
      if (!key.name.empty() && !alone.members.empty()) {
        Shape described = std::move(alone.members.front());
        alone = std::move(described);
      }
      alone.meaning.clear();  // said once, by the key itself
      shape.parts.push_back(std::move(alone));
    }
    return note(key, std::move(shape));
  }

  void one_of(std::span<const std::string_view> keys, Need need) override {
    shape_.kind = Shape::Kind::table;
    shape_.exclusions.push_back({{keys.begin(), keys.end()}, need});
  }

  [[nodiscard]] Where where(std::string_view /*key*/) const override { return {}; }
  [[nodiscard]] std::string path(std::string_view key) const override {
    return joined_path(path_, key);
  }
  void problem(std::string_view /*key*/, std::string /*found*/, std::string /*expected*/,
               std::string /*suggestion*/) override {}
  [[nodiscard]] bool describing() const override { return true; }

 private:
  // Describing counts as absent, whence always false.
  bool note(const Key& key, Shape shape) {
    shape.name = key.name;
    shape.need = key.need;
    shape.meaning = key.meaning;
    if (key.name.empty()) {
      shape_ = std::move(shape);
      return false;
    }
    shape_.kind = Shape::Kind::table;
    const auto same = std::ranges::find(shape_.members, key.name, &Shape::name);
    if (same == shape_.members.end()) {
      shape_.members.push_back(std::move(shape));
    } else {
      *same = std::move(shape);
    }
    return false;
  }

  bool simple(const Key& key, Shape::Kind kind, std::string_view form) {
    return note(key, {.kind = kind, .form = std::string{form}});
  }

  bool quantity(const Key& key, const NumberRange& range, const QuantityWords& words) {
    std::string units{words.units};
    for (std::size_t at = 0; (at = units.find(", ", at)) != units.npos;) units.replace(at, 2, "|");
    const std::string_view sign = range.least < 0.0 ? "[+-]?" : "\\+?";
    constexpr std::string_view digits = "[0-9]+(_[0-9]+)*";
    return note(key, {.kind = Shape::Kind::text,
                      .form = with_range(short_form(words), range_words(range, words.limit)),
                      .pattern = fmt::format("^{}{}(\\.{})?([eE][+-]?[0-9]+)? ?({})$", sign, digits,
                                             digits, units)});
  }

  static Shape inner(Shape::Kind kind, std::string path,
                     const std::function<void(Fields&)>& describe) {
    Shape shape{.kind = kind};
    Describer fields{shape, std::move(path)};
    describe(fields);
    return shape;
  }

  Shape& shape_;
  std::string path_;
};

}  // namespace

Shape shape_of(const Description& description) {
  Shape root{.kind = Shape::Kind::table};
  Describer fields{root, {}};
  description(fields);
  return root;
}

}  // namespace dbsim
