#pragma once
// How messages and references name what was found and what is allowed.
#include <span>
#include <string>
#include <string_view>

#include "sim/io/fields.hpp"
#include "sim/io/quantity.hpp"
#include "sim/io/value.hpp"

namespace dbsim {

/// Text fit for one line of a terminal: control characters and stray bytes escaped, cut short with
/// "...".
[[nodiscard]] std::string printable(std::string_view text);
/// `"abc"`, printable.
[[nodiscard]] std::string in_quotes(std::string_view text);
/// A key as a part of a dotted path: as it is, or quoted if it is not made of letters, digits, '_'
/// and '-'.
[[nodiscard]] std::string path_part(std::string_view key);
[[nodiscard]] std::string joined_path(std::string_view path, std::string_view key);

/// The value as a message shows it: `44`, `true`, `text "abc"`, `a list`.
[[nodiscard]] std::string shown(const Value& value);
/// "a list" and so on: what a type is called.
[[nodiscard]] std::string_view name_of(ValueType type);
/// "one of a, b, c".
[[nodiscard]] std::string one_of_words(std::span<const std::string_view> words);

/// "at least 1", "more than 0 and at most 1", "from 1 to 8"; empty when everything is allowed.
[[nodiscard]] std::string range_words(const WholeRange& range);
/// `unit` prints a limit other than 0, which needs no unit.
[[nodiscard]] std::string range_words(const NumberRange& range, std::string (*unit)(double));
/// "a whole number" and "at least 1" become "a whole number, at least 1".
[[nodiscard]] std::string with_range(std::string_view form, std::string_view range);

[[nodiscard]] std::string plain_words(double number);
[[nodiscard]] std::string seconds_words(double seconds);
[[nodiscard]] std::string bytes_words(double bytes);
[[nodiscard]] std::string bytes_per_second_words(double rate);

/// What the three kinds of quantity are called, and how a limit is printed.
struct QuantityWords {
  std::string_view name;
  std::string_view example;
  std::string_view units;  // separated by ", "
  std::string (*limit)(double);
};
inline constexpr QuantityWords duration_words{"time", "25 us", duration_units, seconds_words};
inline constexpr QuantityWords size_words{"size", "44.7 MB", size_units, bytes_words};
inline constexpr QuantityWords bandwidth_words{"bandwidth", "10 Gbit/s", bandwidth_units,
                                               bytes_per_second_words};
/// `a time with a unit, e.g. "25 us"`.
[[nodiscard]] std::string short_form(const QuantityWords& words);
/// The same with all units in brackets behind it.
[[nodiscard]] std::string full_form(const QuantityWords& words);

/// A number without needless digits: "0.5"; "8.0" when it is whole, since `8` is another type.
[[nodiscard]] std::string number_words(double value);

}  // namespace dbsim
