#include "sim/engine/simulate.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>

#include "sim/engine/training.hpp"

namespace dbsim {

namespace {

constexpr int events_between_looks = 4096;  // often enough to stop within milliseconds

std::optional<RunTrace> run(const Setup& setup, std::unique_ptr<Policy> policy,
                            const RandomStreams& streams, const PolicyTerms& terms,
                            const std::stop_token& stop) {
  Training training{setup, std::move(policy), streams, terms};
  while (!training.finished()) {
    if (stop.stop_requested()) return std::nullopt;
    for (int i = 0; i < events_between_looks && !training.finished(); ++i) training.advance();
  }
  return training.trace();
}

// "slow/0 to slow/2" would need the scenario's groups; the first name and a count say as much.
std::string name_of(const std::vector<std::size_t>& workers, const Setup& setup) {
  std::string text = setup.workers[workers.front()].name;
  if (workers.size() > 1) {
    text +=
        " and " + std::to_string(workers.size() - 1) + (workers.size() == 2 ? " other" : " others");
  }
  return text;
}

struct BatchRange {
  std::int64_t least{INT64_MAX};
  std::int64_t most{0};
};

BatchRange batches_of(const RunTrace& trace, std::size_t worker) {
  BatchRange range;
  for (const EpochTrace& epoch : trace.epochs) {
    range.least = std::min(range.least, epoch.workers[worker].smallest_batch.count());
    range.most = std::max(range.most, epoch.workers[worker].largest_batch.count());
  }
  return range;
}

}  // namespace

RunTrace simulate(const Setup& setup, std::unique_ptr<Policy> policy, const RandomStreams& streams,
                  const PolicyTerms& terms) {
  return *run(setup, std::move(policy), streams, terms, {});
}

std::vector<std::optional<RunTrace>> simulate_all(const Setup& setup,
                                                  std::span<const RunTask> tasks,
                                                  std::size_t threads, const Watcher& watcher) {
  std::vector<std::optional<RunTrace>> traces(tasks.size());
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  std::atomic<bool> failed{false};
  std::mutex failure_mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size() && !watcher.stop.stop_requested() && !failed;
         i = next++) {
      try {
        const RunTask& task = tasks[i];
        traces[i] = run(setup, task.make_policy(), task.streams, task.terms, watcher.stop);
      } catch (...) {
        const std::lock_guard lock{failure_mutex};
        if (!failed.exchange(true)) failure = std::current_exception();
      }
      if (watcher.on_done) watcher.on_done(++done);
    }
  };
  {
    std::vector<std::jthread> helpers;
    const std::size_t useful = std::min(threads, tasks.size());
    for (std::size_t i = 1; i < useful; ++i) helpers.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
  return traces;
}

std::vector<std::string> warnings_about(const Setup& setup, const RunTrace& trace) {
  struct Kind {
    const StepTimeCurve* curve;
    BatchRange used;
    std::vector<std::size_t> workers;
  };
  std::vector<Kind> kinds;  // workers of one profile that leave its range are one warning
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < setup.workers.size(); ++i) {
    const StepTimeCurve& curve = setup.workers[i].step_time;
    const auto measured = curve.measured();
    if (!measured) continue;
    const BatchRange used = batches_of(trace, i);
    const bool outside =
        used.least < measured->smallest.count() || used.most > measured->largest.count();
    if (!outside && curve.rises()) continue;
    auto kind = std::ranges::find_if(
        kinds, [&](const Kind& k) { return k.curve->points() == curve.points(); });
    if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {&curve, {}, {}});
    kind->used = {std::min(kind->used.least, used.least), std::max(kind->used.most, used.most)};
    kind->workers.push_back(i);
  }
  for (const Kind& kind : kinds) {
    const auto measured = *kind.curve->measured();
    if (kind.used.least < measured.smallest.count() || kind.used.most > measured.largest.count()) {
      warnings.push_back(
          name_of(kind.workers, setup) + ": local batches of " + std::to_string(kind.used.least) +
          " to " + std::to_string(kind.used.most) + " reach beyond the profile's " +
          std::to_string(measured.smallest.count()) + " to " +
          std::to_string(measured.largest.count()) + "; step times there are extrapolated");
    }
    if (!kind.curve->rises()) {
      warnings.push_back(name_of(kind.workers, setup) +
                         ": the profile's step time falls somewhere as the batch grows; check it");
    }
  }
  if (!std::holds_alternative<FixedCommunication>(setup.communication.how)) {
    std::ranges::move(warnings_about(setup.communication), std::back_inserter(warnings));
  }
  if (setup.communication.overlap && setup.communication.overlap->backward_assumed) {
    warnings.emplace_back(
        "overlap: not every profile says how long backward takes; two thirds of a step assumed");
  }
  return warnings;
}

}  // namespace dbsim
