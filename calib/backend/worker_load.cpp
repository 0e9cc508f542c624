#include "calib/backend/worker_load.hpp"

#include <exception>
#include <latch>
#include <utility>

#include "sim/base/check.hpp"

namespace dbsim::calib {

WorkerLoad::WorkerLoad(std::string kind, Job job) : kind_{std::move(kind)}, job_{std::move(job)} {}

WorkerLoad::~WorkerLoad() { stop(); }

void WorkerLoad::start(int intensity, std::int64_t batch) {
  check(threads_.empty(), "a load is stopped before it starts again");
  stop_ = false;
  std::latch running{intensity};
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(intensity));
  for (std::exception_ptr& failure : failures) {
    threads_.emplace_back([this, batch, &running, &failure] {
      std::function<void()> work;
      try {
        work = job_(batch);
        work();
      } catch (...) {
        failure = std::current_exception();
        running.count_down();
        return;
      }
      running.count_down();
      while (!stop_) work();
    });
  }
  running.wait();
  for (const std::exception_ptr& failure : failures) {
    if (!failure) continue;
    stop();
    std::rethrow_exception(failure);
  }
}

void WorkerLoad::stop() {
  stop_ = true;
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace dbsim::calib
