#pragma once
// A background load of host threads that each do some work over and over.
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "calib/backend/background_load.hpp"

namespace dbsim::calib {

class WorkerLoad : public BackgroundLoad {
 public:
  /// Called once in each thread; what it returns is called until the load stops.
  using Job = std::function<std::function<void()>(std::int64_t batch)>;

  WorkerLoad(std::string kind, Job job);
  WorkerLoad(const WorkerLoad&) = delete;
  WorkerLoad& operator=(const WorkerLoad&) = delete;
  ~WorkerLoad() override;

  [[nodiscard]] std::string kind() const override { return kind_; }
  /// Rethrows what a job throws as it starts.
  void start(int intensity, std::int64_t batch) override;
  void stop() override { join(); }

 private:
  void join();

  std::string kind_;
  Job job_;
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

}  // namespace dbsim::calib
