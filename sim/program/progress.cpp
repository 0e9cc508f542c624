#include "sim/program/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "sim/report/layout.hpp"

namespace dbsim {

ProgressBar::ProgressBar(Shown shown, Ask ask) {
  if (shown == Shown::no) return;
  painter_ = std::jthread{[ask = std::move(ask)](const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    constexpr std::chrono::milliseconds pause{100};
    constexpr std::chrono::seconds patience{1};
    constexpr std::size_t width = 79;  // in the last column some terminals begin a new line
    bool drawn = false;
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(pause);
      const auto elapsed = std::chrono::steady_clock::now() - begin;
      if (elapsed < patience) continue;
      fmt::print(stderr, "\r\x1b[K{}", progress_line(ask(elapsed), width));
      std::fflush(stderr);
      drawn = true;
    }
    if (drawn) fmt::print(stderr, "\r\x1b[K");
  }};
}

ProgressBar::~ProgressBar() = default;

std::string progress_line(const ProgressState& state, std::size_t width) {
  constexpr std::size_t cells = 30;
  const double fraction = std::clamp(state.fraction, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(fraction * static_cast<double>(cells));
  return shortened(fmt::format("[{:<{}}] {}", std::string(filled, '='), cells, state.text), width);
}

}  // namespace dbsim
