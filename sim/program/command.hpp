#pragma once
// What the programs' commands have in common: options with help, and one way to fail.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace dbsim {

enum class Exit : int {
  success = 0,
  no = 1,
  unusable_input = 2,
  internal_error = 3,
  interrupted = 130
};

/// A command line that cannot be used; shown after the program's name. Exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Option {
  std::string_view name;   // without the dashes
  std::string_view value;  // what its value is called in the help; empty: a switch
  std::string_view meaning;
  enum class Times { once, many } times = Times::once;
};

/// The words of one command, sorted into options and the rest.
class Arguments {
 public:
  [[nodiscard]] bool has(std::string_view option) const;
  [[nodiscard]] std::optional<std::string> text(std::string_view option) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view option) const;
  /// A whole number of at least `least`; UsageError says what was found otherwise.
  [[nodiscard]] std::optional<std::uint64_t> whole(std::string_view option,
                                                   std::uint64_t least) const;
  /// A number of percent of at least 0, likewise.
  [[nodiscard]] std::optional<double> percent(std::string_view option) const;
  /// UsageError if the option is given: `action` has no use for it.
  void refuse(std::string_view option, std::string_view action) const;
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

 private:
  friend Arguments parse(std::span<const Option> options, const std::vector<std::string>& words);
  std::map<std::string, std::vector<std::string>, std::less<>> given_;
  std::vector<std::string> words_;
};

[[nodiscard]] Arguments parse(std::span<const Option> options,
                              const std::vector<std::string>& words);

/// "a,,b" as "a" and "b".
[[nodiscard]] std::vector<std::string> split_at_commas(const std::string& list);

struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view usage;  // what follows the name
  std::string_view example;
  std::vector<Option> options;
  std::function<Exit(const Arguments&)> execute;
};

/// `called` is what a user types to get it: "dbsim run".
[[nodiscard]] std::string help_text(std::string_view called, const Command& command);

}  // namespace dbsim
