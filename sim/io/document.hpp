#pragma once
// A TOML or JSON file in memory, every key and value with its line and column.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/io/fields.hpp"

namespace dbsim {

struct Value;  // defined in value.hpp

class Document {
 public:
  /// Both throw InputError with a position when the text is not well formed. `file` is named in
  /// messages.
  static Document toml(std::string_view text, std::string file);
  static Document json(std::string_view text, std::string file);
  /// Reads the file, then as above (.json: JSON, all else TOML). InputError if it cannot be read as
  /// a text file: missing, a directory, larger than 64 MiB, not UTF-8.
  static Document load(const std::string& path);

  /// Replaces or adds one value, `key` as "job.global_batch" or "worker[0].count" or
  /// "worker.slow.count" (an element of a list by its `name`), `value` in TOML ("1024", "\"25
  /// us\"", or bare text for a string). Its position in messages is "--set KEY". InputError if the
  /// path leads nowhere or the value is unreadable.
  void set(std::string_view key, std::string_view value);

  /// Runs the description over the root table and appends what is wrong to `problems`, unknown keys
  /// included.
  void read(const Description& description, std::vector<Problem>& problems) const;

  [[nodiscard]] const std::string& file() const { return file_; }
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

 private:
  Document(std::unique_ptr<Value> root, std::string file);
  std::unique_ptr<Value> root_;
  std::string file_;
  std::vector<std::string> origins_;  // "--set KEY" of each change, named by positions
};

}  // namespace dbsim
