#pragma once
// Writes JSON as a stream of calls: no tree, keys in the order of the calls, the same bytes for the
// same values.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dbsim {

class JsonWriter {
 public:
  /// `lines`: one entry per line, indented by two. `row`: all on the current line, whatever is
  /// nested in it.
  enum class Layout { lines, row };

  void open_object(Layout layout) { open('{', '}', layout); }
  void open_array(Layout layout) { open('[', ']', layout); }
  void close();
  void key(std::string_view name);

  void text(std::string_view value);
  void whole(std::int64_t value);
  void natural(std::uint64_t value);
  /// The shortest decimal that reads back as the same double; null when it is not finite, which
  /// JSON cannot say.
  void number(double value);
  void null();

  /// The text, ending in a newline; all objects and arrays must be closed.
  [[nodiscard]] std::string finish() &&;

 private:
  struct Level {
    char closing;
    Layout layout;
    bool empty;
  };
  void open(char opening, char closing, Layout layout);
  void separate();
  void new_line();
  void quote(std::string_view value);

  std::string text_;
  std::vector<Level> levels_;
  bool after_key_{false};
};

}  // namespace dbsim
