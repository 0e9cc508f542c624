#include "sim/app/progress.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "sim/base/units.hpp"

namespace dbsim {

ProgressBar::ProgressBar(std::size_t total, Shown shown) : total_{total} {
  if (shown == Shown::no || total == 0) return;
  painter_ = std::jthread{[this](const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    constexpr std::chrono::milliseconds pause{100};
    constexpr std::chrono::seconds patience{1};
    bool drawn = false;
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(pause);
      const auto elapsed = std::chrono::steady_clock::now() - begin;
      if (elapsed < patience) continue;
      draw(elapsed);
      drawn = true;
    }
    if (drawn) fmt::print(stderr, "\r\x1b[K");
  }};
}

ProgressBar::~ProgressBar() = default;

void ProgressBar::draw(std::chrono::duration<double> elapsed) const {
  constexpr std::size_t cells = 30;
  const std::size_t done = done_;
  const std::size_t filled = cells * done / total_;
  std::string left = "";
  if (done > 0) {
    const double rest =
        elapsed.count() * static_cast<double>(total_ - done) / static_cast<double>(done);
    left = fmt::format(", {:.3g} runs/s, {} left", static_cast<double>(done) / elapsed.count(),
                       to_text(Seconds{rest}));
  }
  fmt::print(stderr, "\r\x1b[K[{:<{}}] {}/{} runs{}", std::string(filled, '='), cells, done, total_,
             left);
  std::fflush(stderr);
}

}  // namespace dbsim
