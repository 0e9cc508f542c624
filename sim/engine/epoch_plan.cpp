#include "sim/engine/epoch_plan.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/apportion.hpp"
#include "sim/base/check.hpp"

namespace dbsim {

namespace {

std::int64_t sum_of(const std::vector<Samples>& samples) {
  std::int64_t sum = 0;
  for (const Samples s : samples) sum += s.count();
  return sum;
}

std::vector<std::int64_t> last_step_parts(const std::vector<Samples>& batches,
                                          std::int64_t batch_sum, std::int64_t rest) {
  std::vector<double> ideal;
  std::vector<Bounds> bounds;
  for (const Samples batch : batches) {
    ideal.push_back(static_cast<double>(rest) * static_cast<double>(batch.count()) /
                    static_cast<double>(batch_sum));
    bounds.push_back({0, batch.count()});
  }
  return apportion(ideal, rest, bounds);
}

EpochPlan plan_conserving(const Decision& decision, Samples samples, LastBatch rule) {
  const std::int64_t batch_sum = sum_of(decision.local_batches);
  check(batch_sum > 0, "some worker has a local batch");
  const std::int64_t whole_steps = samples.count() / batch_sum;
  const std::int64_t rest = samples.count() % batch_sum;
  const bool extra = rest > 0 && rule == LastBatch::keep;
  EpochPlan plan;
  plan.lost = Samples{extra ? 0 : rest};
  std::vector<std::int64_t> last;
  if (extra) last = last_step_parts(decision.local_batches, batch_sum, rest);
  for (std::size_t i = 0; i < decision.local_batches.size(); ++i) {
    const Samples batch = decision.local_batches[i];
    plan.workers.push_back(
        {.batch = batch,
         .steps = whole_steps + (extra ? 1 : 0),
         .last_batch = extra ? Samples{last[i]} : batch,
         .weight = static_cast<double>(batch.count()) / static_cast<double>(batch_sum)});
  }
  return plan;
}

// Each worker's loader goes through its own slice; what it leaves is the loader's business
// (PyTorch's DataLoader).
EpochPlan plan_slices(const Decision& decision, Samples samples, LastBatch rule) {
  EpochPlan plan;
  const std::int64_t batch_sum = sum_of(decision.local_batches);
  std::int64_t used = 0;
  for (std::size_t i = 0; i < decision.local_batches.size(); ++i) {
    const std::int64_t batch = decision.local_batches[i].count();
    const std::int64_t slice = decision.slices[i].count();
    WorkerPlan worker{
        .batch = Samples{batch}, .steps = 0, .last_batch = Samples{batch}, .weight = 0.0};
    worker.weight = static_cast<double>(batch) / static_cast<double>(batch_sum);
    if (batch > 0) {
      const std::int64_t rest = slice % batch;
      worker.steps = slice / batch + (rest > 0 && rule == LastBatch::keep ? 1 : 0);
      if (rest > 0 && rule == LastBatch::keep) worker.last_batch = Samples{rest};
    }
    used += worker.samples().count();
    plan.workers.push_back(worker);
  }
  plan.lost = samples - Samples{used};
  return plan;
}

}  // namespace

void check_decision(const Decision& decision, std::size_t workers) {
  check(decision.local_batches.size() == workers, "a decision has one local batch for each worker");
  check(std::ranges::all_of(decision.local_batches, [](Samples b) { return b.count() >= 0; }),
        "no local batch is negative");
  check(sum_of(decision.local_batches) > 0, "some worker has a local batch");
  check(decision.slices.empty() || decision.slices.size() == workers,
        "a decision has one slice for each worker");
  check(std::ranges::all_of(decision.slices, [](Samples s) { return s.count() >= 0; }),
        "no slice is negative");
  check(decision.weights.empty() || decision.weights.size() == workers,
        "a decision has one weight for each worker");
  check(
      std::ranges::all_of(decision.weights, [](double w) { return std::isfinite(w) && w >= 0.0; }),
      "weights are finite and not negative");
}

EpochPlan plan_epoch(const Decision& decision, Samples samples, LastBatch rule) {
  EpochPlan plan = decision.slices.empty() ? plan_conserving(decision, samples, rule)
                                           : plan_slices(decision, samples, rule);
  for (std::size_t i = 0; i < decision.weights.size(); ++i)
    plan.workers[i].weight = decision.weights[i];
  return plan;
}

}  // namespace dbsim
