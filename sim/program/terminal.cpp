#include "sim/program/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace dbsim {

namespace {

bool set_and_not_empty(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before any thread starts
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const char* terminal = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe): as above
  return terminal == nullptr || std::string_view{terminal} == "dumb";
}

}  // namespace

TableStyle style_of_standard_output() {
  TableStyle style;
  if (isatty(STDOUT_FILENO) == 0) return style;
  style.colour = !set_and_not_empty("NO_COLOR") && !is_dumb();
  winsize size{};
  constexpr int widest = 100;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    style.width = std::clamp(static_cast<int>(size.ws_col), style.width, widest);
  }
  return style;
}

bool standard_error_is_terminal() { return isatty(STDERR_FILENO) != 0; }

}  // namespace dbsim
