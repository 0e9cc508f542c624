#pragma once
// A progress bar on standard error: only on a terminal, only after one second.
#include <functional>
#include <string>
#include <thread>

#include "sim/base/units.hpp"

namespace dbsim {

struct ProgressState {
  double fraction{};  // 0 to 1
  std::string text;   // what stands beside the bar
};

class ProgressBar {
 public:
  enum class Shown { yes, no };
  /// Asks again and again from a thread of its own, with the time since it was made.
  using Ask = std::function<ProgressState(Seconds elapsed)>;
  ProgressBar(Shown shown, Ask ask);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  std::jthread painter_;
};

/// The line that the bar shows, `width` columns at most.
[[nodiscard]] std::string progress_line(const ProgressState& state, std::size_t width);

}  // namespace dbsim
