#include "calib/app/watched.hpp"

#include <fmt/format.h>

#include <chrono>
#include <mutex>
#include <stop_token>
#include <utility>

#include "sim/base/units.hpp"

namespace dbsim::calib {

namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

struct Watch::Shared {
  std::stop_token stop;
  const SideFile& side_file;
  double saved_at{steady_seconds()};
  std::mutex mutex{};  // the bar's thread reads what measuring reports
  MeasureProgress progress{};

  ProgressState state() {
    const std::lock_guard lock{mutex};
    return {
        .fraction = progress.fraction,
        .text = fmt::format("{}, {} left", progress.what, to_text(Seconds{progress.seconds_left}))};
  }
};

Watch::Watch(const InterruptGuard& interrupt, const SideFile& side_file, ProgressBar::Shown shown)
    : shared_{new Shared{.stop = interrupt.token(), .side_file = side_file}},
      bar_{shown, [shared = shared_.get()](Seconds) { return shared->state(); }} {}

Watch::~Watch() = default;

Surroundings Watch::surroundings() {
  Shared& shared = *shared_;
  return {.now = steady_seconds,
          .stop = [&shared] { return shared.stop.stop_requested(); },
          .report =
              [&shared](const MeasureProgress& progress) {
                const std::lock_guard lock{shared.mutex};
                shared.progress = progress;
              },
          .keep =
              [&shared](const Measurement& measurement) {
                constexpr double pause_s = 10.0;
                if (steady_seconds() - shared.saved_at < pause_s) return;
                shared.side_file.save(measurement);
                shared.saved_at = steady_seconds();
              }};
}

}  // namespace dbsim::calib
