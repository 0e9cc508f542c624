// The part of the training loop that asks policies: what they are shown, and what a change means
// for the rest of an epoch.
#include <algorithm>
#include <utility>

#include "sim/base/check.hpp"
#include "sim/engine/training.hpp"

namespace dbsim {

namespace {

Seconds between(Span before, Span after) { return to_seconds(after - before); }

}  // namespace

Tally Training::tally_of(std::size_t index) const {
  const WorkerState& worker = state_.workers[index];
  const WorkerEpoch& account = worker.account;
  return {.steps = worker.steps_done,
          .samples = account.samples - state_.plan.workers[index].samples_after(worker.steps_done),
          .own = account.own,
          .communication = account.communication,
          .wait = account.wait};
}

std::vector<Measurement> Training::measured_since(const std::vector<Tally>& before) const {
  std::vector<Measurement> measurements;
  measurements.reserve(before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Tally now = tally_of(i);
    Measurement measured{.batch = state_.workers[i].account.batch,
                         .samples = now.samples - before[i].samples,
                         .steps = now.steps - before[i].steps,
                         .own = between(before[i].own, now.own),
                         .communication = between(before[i].communication, now.communication),
                         .wait = between(before[i].wait, now.wait)};
    if (terms_.timing == Timing::observed) {
      measured.own += measured.communication + measured.wait;
      measured.communication = Seconds{0.0};
      measured.wait = Seconds{0.0};
    }
    measurements.push_back(measured);
  }
  return measurements;
}

// A plan without slices gives all workers the same number of steps.
bool Training::decision_is_due() const {
  if (!steps_between_decisions_) return false;
  const std::int64_t done = state_.workers.front().steps_done;
  return done - state_.seen.front().steps >= *steps_between_decisions_ ||
         done == state_.plan.workers.front().steps;
}

/// True when local batches change within the epoch.
bool Training::decide_within_epoch() {
  const std::vector<Measurement> measurements = measured_since(state_.seen);
  for (std::size_t i = 0; i < state_.seen.size(); ++i) state_.seen[i] = tally_of(i);
  std::optional<Decision> decision = state_.policy->after_steps(measurements);
  if (!decision || *decision == state_.decision) return false;
  check_decision(*decision, state_.workers.size());
  check(decision->slices.empty() && state_.decision.slices.empty(),
        "who decides within an epoch deals no slices of it");
  state_.decision = std::move(*decision);
  const bool over = state_.workers.front().steps_done == state_.plan.workers.front().steps;
  if (over) return false;  // the next epoch begins with it
  const bool change = batches_change();
  deal_anew_what_is_left();
  return change;
}

bool Training::batches_change() const {
  return !std::ranges::equal(state_.decision.local_batches, state_.plan.workers, {}, {},
                             &WorkerPlan::batch);
}

void Training::deal_anew_what_is_left() {
  const std::int64_t done = state_.workers.front().steps_done;
  Samples left = state_.plan.lost;
  for (const WorkerPlan& plan : state_.plan.workers) left += plan.samples_after(done);
  EpochPlan rest = plan_epoch(state_.decision, left, setup_->last_batch);
  for (std::size_t i = 0; i < state_.workers.size(); ++i) {
    WorkerState& worker = state_.workers[i];
    const WorkerPlan& before = state_.plan.workers[i];
    WorkerPlan& plan = rest.workers[i];
    worker.earlier_weight += before.weight * static_cast<double>(done - state_.planned_at);
    WorkerEpoch& account = worker.account;
    account.samples += plan.samples() - before.samples_after(done);
    plan.steps += done;
    account.steps = plan.steps;
    account.weight = plan.weight;
    account.batch = plan.batch;
    account.smallest_batch = std::min(account.smallest_batch, plan.batch);
    account.largest_batch = std::max(account.largest_batch, plan.batch);
  }
  state_.plan = std::move(rest);
  state_.planned_at = done;
  state_.trace.epochs.back().lost = state_.plan.lost;
  for (std::size_t i = 0; i < state_.workers.size(); ++i) follow_plan(i);
}

void Training::stand_still() {
  EpochTrace& epoch = state_.trace.epochs.back();
  ++epoch.resizings;
  const Span cost = to_span(terms_.rebalance_cost);
  if (cost == Span{}) return begin_rounds();
  epoch.rebalancing += cost;
  state_.events.schedule(state_.now + cost, Rebalanced{});
}

}  // namespace dbsim
