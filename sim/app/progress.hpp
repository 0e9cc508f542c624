#pragma once
// A progress bar on standard error: only on a terminal, only after one second.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>

namespace dbsim {

class ProgressBar {
 public:
  enum class Shown { yes, no };
  ProgressBar(std::size_t total, Shown shown);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  /// From any thread.
  void done(std::size_t count) { done_ = count; }

 private:
  void draw(std::chrono::duration<double> elapsed) const;

  std::size_t total_;
  std::atomic<std::size_t> done_{0};
  std::jthread painter_;
};

}  // namespace dbsim
