#include "sim/io/measured_fields.hpp"

#include <fmt/format.h>

#include "sim/base/check.hpp"

namespace dbsim {

std::optional<double> read_number(Fields& fields, const Key& key, const NumberRange& range) {
  check(range.least >= 0.0, "what is measured is not negative");
  double read = -1.0;  // stays where the value is bad
  const bool good = fields.number(key, range, read) && read >= 0.0;
  return good ? std::optional{read} : std::nullopt;
}

std::optional<Bytes> read_bytes(Fields& fields, const Key& key, const NumberRange& range) {
  const std::optional<double> read = read_number(fields, key, range);
  return read ? std::optional{Bytes{*read}} : std::nullopt;
}

Ends read_ends(Fields& fields, const Key& low, const Key& high, const NumberRange& range) {
  const Ends ends{.low = read_number(fields, low, range), .high = read_number(fields, high, range)};
  if (ends.low && ends.high && *ends.low > *ends.high) {
    fields.problem(low.name, fmt::format("{}", *ends.low),
                   fmt::format("at most {}, {}", high.name, *ends.high));
  }
  return ends;
}

std::optional<std::int64_t> read_repetitions(Fields& fields) {
  std::int64_t repetitions = 0;
  const bool counted =
      fields.whole({"repetitions", "How many times it was measured."}, at_least_one, repetitions);
  return counted && repetitions > 0 ? std::optional{repetitions} : std::nullopt;
}

}  // namespace dbsim
