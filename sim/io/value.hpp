#pragma once
// A file's content whatever its format: a tree in which every key and value knows where it stands.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace dbsim {

struct Position {
  int line{};    // from 1; 0 when the value does not come from the file
  int column{};  // in code points, from 1
  int origin{};  // 0: the file; k: the k-th change made to the document from outside
};

struct Value;
struct Entry;
using List = std::vector<Value>;
using Table = std::vector<Entry>;  // in the order of the file, each key once

struct Value {
  std::variant<bool, std::int64_t, double, std::string, List, Table> data;
  Position at;
};

struct Entry {
  std::string key;
  Position key_at;
  Value value;
};

/// Deeper nesting is refused, so that walking a tree never exhausts the stack.
inline constexpr int deepest_nesting = 64;

[[nodiscard]] inline const Value* find(const Table& table, std::string_view key) {
  for (const Entry& entry : table) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}
[[nodiscard]] inline Value* find(Table& table, std::string_view key) {
  return const_cast<Value*>(find(std::as_const(table), key));
}

}  // namespace dbsim
