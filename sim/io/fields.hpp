#pragma once
// One description of a file's keys, used three times: to read it, to publish its schema, to
// document it.
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace dbsim {

enum class Need { required, optional };

/// A key of a table. An empty name means the value itself (an element of a list).
struct Key {
  std::string_view name;
  std::string_view meaning;  // one sentence for the reference; says the default of an optional key
  Need need = Need::optional;
};

/// Allowed values: least <= x <= most, or least < x when `open` is set.
struct WholeRange {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};
struct NumberRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  enum class Lower { closed, open } lower = Lower::closed;
};
inline constexpr NumberRange positive{.least = 0.0, .lower = NumberRange::Lower::open};
inline constexpr NumberRange not_negative{.least = 0.0};
inline constexpr WholeRange at_least_one{.least = 1};

enum class ValueType { text, boolean, whole, number, list, table };

/// Handed to a description. Every call names one key; the value is written only when it is present
/// and good. Each returns whether the key is present (describing counts as absent). Problems are
/// collected, not thrown.
class Fields {
 public:
  virtual ~Fields() = default;

  virtual bool text(const Key& key, std::string& value) = 0;
  virtual bool choice(const Key& key, std::span<const std::string_view> allowed,
                      std::string& value) = 0;
  virtual bool boolean(const Key& key, bool& value) = 0;
  virtual bool whole(const Key& key, const WholeRange& range, std::int64_t& value) = 0;
  virtual bool number(const Key& key, const NumberRange& range, double& value) = 0;
  /// Quantities are text with a number and a unit; ranges are in seconds, bytes, bytes per second.
  virtual bool duration(const Key& key, const NumberRange& range, Seconds& value) = 0;
  virtual bool size(const Key& key, const NumberRange& range, Bytes& value) = 0;
  virtual bool bandwidth(const Key& key, const NumberRange& range, BytesPerSecond& value) = 0;
  /// Text of a form of its own. `parse` returns whether it could; `form` says what is allowed, e.g.
  /// "\"epoch 4\" or a time such as \"120 s\""; `pattern` is the same as a regular expression for
  /// the schema.
  virtual bool parsed(const Key& key, std::string_view form, std::string_view pattern,
                      const std::function<bool(std::string_view)>& parse) = 0;

  virtual bool table(const Key& key, const std::function<void(Fields&)>& describe) = 0;
  /// A list; `describe` is called for each element (once when describing), which it names by an
  /// empty Key.
  virtual bool items(const Key& key, const std::function<void(Fields&)>& describe) = 0;

  struct Alternative {
    ValueType type;  // what the value is when this alternative is meant
    std::function<void(Fields&, const Key&)> describe;
  };
  /// A key whose value may have several types, told apart by type: a path or a table, say.
  virtual bool either(const Key& key, std::span<const Alternative> alternatives) = 0;

  /// Keys whose presence excludes each other: exactly one (required) or at most one (optional) may
  /// be given.
  virtual void one_of(std::span<const std::string_view> keys, Need need) = 0;

  /// Where the key's value stands; where this table stands if the key is absent. Empty name: this
  /// table or element.
  [[nodiscard]] virtual Where where(std::string_view key) const = 0;
  /// The full dotted path of a key of this table, e.g. "worker[1].profile".
  [[nodiscard]] virtual std::string path(std::string_view key) const = 0;
  /// Files a problem of the description's own at that key.
  virtual void problem(std::string_view key, std::string found, std::string expected,
                       std::string suggestion = {}) = 0;
  /// True when nothing is being read: loops over what was read must then be entered once by hand.
  [[nodiscard]] virtual bool describing() const = 0;
};

using Description = std::function<void(Fields&)>;

}  // namespace dbsim
