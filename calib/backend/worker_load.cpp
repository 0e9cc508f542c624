#include "calib/backend/worker_load.hpp"

#include <exception>
#include <functional>
#include <latch>
#include <memory>
#include <utility>

#include "sim/base/check.hpp"

namespace dbsim::calib {

WorkerLoad::WorkerLoad(std::string kind, Job job) : kind_{std::move(kind)}, job_{std::move(job)} {}

WorkerLoad::~WorkerLoad() { join(); }

void WorkerLoad::start(int intensity, std::int64_t batch) {
  check(threads_.empty(), "a load is stopped before it starts again");
  stop_ = false;
  // Shared with the threads: the last of them may still be leaving the latch when this returns.
  struct Beginning {
    explicit Beginning(int threads)
        : running{threads}, failures(static_cast<std::size_t>(threads)) {}
    std::latch running;
    std::vector<std::exception_ptr> failures;
  };
  const auto beginning = std::make_shared<Beginning>(intensity);
  for (std::size_t i = 0; i < beginning->failures.size(); ++i) {
    threads_.emplace_back([this, batch, beginning, i] {
      std::function<void()> work;
      try {
        work = job_(batch);
        work();
      } catch (...) {
        beginning->failures[i] = std::current_exception();
        work = nullptr;
      }
      beginning->running.count_down();
      while (work && !stop_) work();
    });
  }
  beginning->running.wait();
  for (const std::exception_ptr& failure : beginning->failures) {
    if (!failure) continue;
    join();
    std::rethrow_exception(failure);
  }
}

void WorkerLoad::join() {
  stop_ = true;
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace dbsim::calib
