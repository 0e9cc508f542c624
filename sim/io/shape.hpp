#pragma once
// What a description says, as data: the common source of the schema and the reference.
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/fields.hpp"

namespace dbsim {

struct Shape {
  enum class Kind { any, text, boolean, whole, number, list, table, either };
  /// Keys that exclude each other: exactly one or at most one.
  struct Exclusion {
    std::vector<std::string> keys;
    Need need{};
  };

  std::string name{};  // of the key, where it has one
  Need need{};
  Kind kind{Kind::any};
  std::string meaning{};
  std::string form{};     // what is allowed, as messages say it; empty for list, table, either
  std::string pattern{};  // text: a regular expression; may be empty
  std::vector<std::string> choices{};   // text: the only words allowed; may be empty
  WholeRange whole{};                   // whole
  NumberRange number{};                 // number
  std::vector<Shape> members{};         // table: its keys
  std::vector<Exclusion> exclusions{};  // table
  std::vector<Shape> parts{};           // list: what each element is; either: the alternatives
};

/// The shape of the table that a description describes.
[[nodiscard]] Shape shape_of(const Description& description);

}  // namespace dbsim
