#include "sim/program/interrupt.hpp"

#include <chrono>
#include <csignal>

namespace dbsim {

namespace {

// A signal handler can reach nothing but globals and may do next to nothing: it sets this flag.
volatile std::sig_atomic_t interrupted = 0;

void note_interrupt(int signal_number) {
  interrupted = 1;
  std::signal(signal_number, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupted = 0;
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
  watcher_ = std::jthread{[stop = stop_](const std::stop_token& done) mutable {
    constexpr std::chrono::milliseconds pause{20};
    while (!done.stop_requested() && interrupted == 0) std::this_thread::sleep_for(pause);
    if (interrupted != 0) stop.request_stop();
  }};
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace dbsim
