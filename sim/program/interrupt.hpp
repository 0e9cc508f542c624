#pragma once
// Ctrl-C as a stop token: work ends in an orderly way and keeps what is complete.
#include <stop_token>
#include <thread>

namespace dbsim {

/// While it lives, the first SIGINT or SIGTERM requests a stop instead of ending the process; a
/// second one ends it. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::jthread watcher_;
};

}  // namespace dbsim
