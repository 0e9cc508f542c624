#pragma once
// What goes wrong outside our code: input that cannot be used, and a machine that fails.
#include <stdexcept>
#include <string>
#include <vector>

namespace dbsim {

/// A place in an input. `line` and `column` count from 1; 0 means the whole file or the command
/// line.
struct Where {
  std::string file;
  int line{};
  int column{};
  friend bool operator==(const Where&, const Where&) = default;
};

struct Problem {
  Where where;
  std::string key;         // dotted path, e.g. "network.star.latency"; may be empty
  std::string found;       // what stands there, e.g. "-10 Gbit/s" or "unknown key"
  std::string expected;    // what is allowed; may be empty
  std::string suggestion;  // the nearest known word; may be empty
};

/// `FILE:LINE:COL: key: found X; expected Y; did you mean 'Z'?`, parts that are empty left out.
[[nodiscard]] std::string to_text(const Problem& problem);

/// Input that cannot be used, with everything that is wrong with it. Exit code 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Problem> problems);
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// A file that could not be read or written although it was well named. Exit code 1.
struct IoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace dbsim
