// Per-step policies on the step times of real jobs: ten workers each, all with the same local
// batch, on shared GPUs (Weng et al., NSDI 2022; github.com/alibaba/clusterdata at 7a6c496,
// cluster-trace-gpu-v2020/mini-batch-time).
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "policies/lb_bsp.hpp"
#include "policies/proportional_controller.hpp"
#include "tests/catch.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

constexpr std::int64_t batch_of_the_job = 100;  // of a worker; the trace does not say it

// By step, then worker: seconds for one sample, in a unit of the job's own. Empty without the data.
std::vector<std::vector<double>> published(int job) {
  const std::filesystem::path file = std::filesystem::path{DBSIM_SOURCE_DIR} / ".." / "shared" /
                                     "data" / "pai-minibatch" /
                                     ("job_" + std::to_string(job) + "_norm.csv");
  std::ifstream text{file};
  std::string line;
  std::getline(text, line);
  std::map<int, std::map<int, double>> by_step;
  while (std::getline(text, line)) {
    std::ranges::replace(line, ',', ' ');
    std::istringstream fields{line};
    int row = 0;
    int worker = 0;
    int gpu = 0;
    int step = 0;
    double time = 0.0;
    if (fields >> row >> worker >> gpu >> step >> time) by_step[step][worker] = time;
  }
  std::vector<std::vector<double>> steps;
  for (const auto& [step, workers] : by_step) {
    if (workers.size() < 10) continue;  // some workers record a step more
    std::vector<double> times;
    for (const auto& [worker, time] : workers) {
      times.push_back(1e-3 * time / static_cast<double>(batch_of_the_job));
    }
    steps.push_back(std::move(times));
  }
  return steps;
}

struct Replay {
  double equal{};
  double known{};  // who knows each next step: B / sum 1/c, in real numbers
};

Replay bounds_of(const std::vector<std::vector<double>>& steps) {
  Replay replay;
  for (const std::vector<double>& times : steps) {
    double speed = 0.0;
    for (const double time : times) speed += 1.0 / time;
    const auto batch = static_cast<double>(batch_of_the_job * std::ssize(times));
    replay.equal += static_cast<double>(batch_of_the_job) * std::ranges::max(times);
    replay.known += batch / speed;
  }
  return replay;
}

double replayed(const std::unique_ptr<Policy>& policy,
                const std::vector<std::vector<double>>& steps) {
  const std::size_t workers = steps.front().size();
  Decision decision = policy->start(
      unknown_cluster(workers, batch_of_the_job * static_cast<std::int64_t>(workers)));
  double total = 0.0;
  for (const std::vector<double>& times : steps) {
    std::vector<double> own;
    for (std::size_t i = 0; i < workers; ++i) {
      own.push_back(times[i] * static_cast<double>(decision.local_batches[i].count()));
    }
    total += std::ranges::max(own);
    decision = policy->after_steps(steps_with_times(decision, own)).value_or(decision);
  }
  return total;
}

}  // namespace

TEST_CASE("on four real jobs LB-BSP saves half or more of what knowing each next step would save",
          "[lb-bsp][real-jobs]") {
  for (int job = 1; job <= 4; ++job) {
    CAPTURE(job);
    const std::vector<std::vector<double>> steps = published(job);
    if (steps.empty()) {
      WARN("skipped: no published steps beside the source");
      return;
    }
    const Replay bounds = bounds_of(steps);
    const auto saving = [&](double total) { return 1.0 - total / bounds.equal; };
    const double bound = saving(bounds.known);
    const double usual = saving(replayed(make_lb_bsp(), steps));
    CHECK(usual <= bound);
    CHECK(usual >= 0.48 * bound);
    // No other predictor would have been much better, on any of the jobs.
    for (const LbBspPredictor predictor : {LbBspPredictor::last, LbBspPredictor::arima}) {
      const double other = saving(replayed(make_lb_bsp({.predictor = predictor}), steps));
      CHECK(other <= bound);
      CHECK(usual >= other - 0.004);
    }
    const double controlled = saving(replayed(make_proportional_controller(), steps));
    CHECK(controlled > 0.0);
    CHECK(controlled <= usual);
    // What the controller lacks is mostly workers that were once disturbed after they got more.
    const double forgiving =
        saving(replayed(make_proportional_controller({.lower_limits = false}), steps));
    CHECK(forgiving >= controlled);
    CHECK(forgiving >= 0.4 * bound);
  }
}
