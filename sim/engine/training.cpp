#include "sim/engine/training.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "sim/base/check.hpp"

namespace dbsim {

namespace {

RunState initial_state(const Setup& setup, std::unique_ptr<Policy> policy,
                       const RandomStreams& streams) {
  RunState state{.now = {},
                 .events = {},
                 .policy = Cloned<Policy>{std::move(policy)},
                 .communication = Communication{setup.communication, streams},
                 .decision = {},
                 .plan = {},
                 .workers = {},
                 .interference_active = std::vector<bool>(setup.interference.size(), false),
                 .seen = {},
                 .round_begin = {},
                 .last_arrival = {},
                 .ready = std::vector<Span>(setup.workers.size()),
                 .bucket_ready = {},
                 .trace = {}};
  if (const std::optional<OverlapSetup>& overlap = setup.communication.overlap) {
    state.bucket_ready.resize(setup.workers.size() * overlap->buckets.size());
  }
  state.workers.reserve(setup.workers.size());
  for (const WorkerSetup& worker : setup.workers) {
    state.workers.emplace_back(streams.stream("step-time", worker.name));
    state.trace.workers.push_back(worker.name);
  }
  return state;
}

// Of the last plan, `planned_at` is the first step.
double average_weight(const WorkerState& worker, std::int64_t planned_at) {
  const std::int64_t steps = worker.account.steps;
  return (worker.earlier_weight + worker.account.weight * static_cast<double>(steps - planned_at)) /
         static_cast<double>(steps);
}

}  // namespace

Training::Training(const Setup& setup, std::unique_ptr<Policy> policy, const RandomStreams& streams,
                   const PolicyTerms& terms)
    : setup_{&setup},
      terms_{terms},
      steps_between_decisions_{policy->steps_between_decisions()},
      interference_of_(setup.workers.size()),
      state_{initial_state(setup, std::move(policy), streams)} {
  for (std::size_t i = 0; i < setup.interference.size(); ++i) {
    interference_of_[setup.interference[i].worker].push_back(i);
  }
  schedule_interference();
  if (steps_between_decisions_) state_.seen.resize(setup.workers.size());
  state_.decision = state_.policy->start(setup.view);
  check_decision(state_.decision, setup.workers.size());
  begin_epoch();
}

void Training::advance() {
  if (finished()) return;
  check(!state_.events.empty(), "something is always under way until training is finished");
  const auto next = state_.events.pop();
  state_.now = next.at;
  ++state_.trace.events;
  std::visit([this](const auto& event) { handle(event); }, next.event);
}

void Training::handle(WorkDone event) {
  WorkerState& worker = state_.workers[event.worker];
  worker.account.own += state_.now - worker.step_begin;
  ++worker.steps_done;
  if (worker.steps_done < worker.next_sync) {
    begin_step(event.worker);
    return;
  }
  worker.doing = WorkerState::Doing::waiting;
  worker.arrived = state_.now;
  state_.last_arrival = state_.now;
  state_.ready[event.worker] = state_.now - state_.round_begin;
  ++state_.arrived;
  synchronise_when_all_have_arrived();
}

void Training::synchronise_when_all_have_arrived() {
  if (state_.arrived == 0 || state_.arrived + state_.finished < state_.workers.size()) return;
  if (state_.finished > 0) report_deadlock();
  const Span duration =
      setup_->communication.overlap
          ? state_.communication.duration(state_.ready, state_.bucket_ready, state_.round_begin)
          : state_.communication.duration(state_.ready, state_.round_begin);
  state_.events.schedule(state_.now + duration, CommunicationDone{});
}

void Training::report_deadlock() {
  if (!state_.trace.deadlocks.empty() && state_.trace.deadlocks.back().epoch == state_.epoch)
    return;
  Deadlock deadlock{
      .at = state_.now, .epoch = state_.epoch, .step = 0, .waiting = {}, .missing = {}};
  for (std::size_t i = 0; i < state_.workers.size(); ++i) {
    const WorkerState& worker = state_.workers[i];
    if (worker.doing == WorkerState::Doing::finished) {
      deadlock.missing.push_back(i);
    } else {
      deadlock.waiting.push_back(i);
      deadlock.step = worker.steps_done - 1;
    }
  }
  state_.trace.deadlocks.push_back(std::move(deadlock));
}

void Training::handle(CommunicationDone) {
  const Span communication = state_.now - state_.last_arrival;
  state_.arrived = 0;
  for (WorkerState& worker : state_.workers) {
    if (worker.doing != WorkerState::Doing::waiting) continue;
    worker.account.communication += communication;
    worker.account.wait += state_.last_arrival - worker.arrived;
  }
  if (decision_is_due() && decide_within_epoch()) {
    stand_still();
  } else {
    begin_rounds();
  }
}

void Training::handle(Rebalanced) { begin_rounds(); }

void Training::begin_rounds() {
  state_.round_begin = state_.now;
  for (std::size_t i = 0; i < state_.workers.size(); ++i) {
    if (state_.workers[i].doing == WorkerState::Doing::waiting) begin_round(i);
  }
  if (state_.finished == state_.workers.size()) {
    state_.events.schedule(state_.now, EpochOver{});
  } else {
    synchronise_when_all_have_arrived();
  }
}

void Training::begin_round(std::size_t index) {
  WorkerState& worker = state_.workers[index];
  const std::int64_t steps = state_.plan.workers[index].steps;
  state_.ready[index] = Span{};
  if (worker.steps_done == steps) {
    worker.doing = WorkerState::Doing::finished;
    ++state_.finished;
    std::ranges::fill(buckets_of(index), Span{});
    return;
  }
  const std::int64_t local_steps = setup_->steps_between_syncs.value_or(steps);
  worker.next_sync = std::min(steps, worker.steps_done + local_steps);
  worker.doing = WorkerState::Doing::computing;
  begin_step(index);
}

void Training::begin_step(std::size_t index) {
  WorkerState& worker = state_.workers[index];
  const WorkerPlan& plan = state_.plan.workers[index];
  const bool last = worker.steps_done + 1 == plan.steps;
  Seconds time = last ? worker.last_step : worker.full_step;
  if (setup_->workers[index].sigma > 0.0) {
    time *= worker.jitter.lognormal(setup_->workers[index].sigma);
  }
  worker.step_time = time;
  if (!last || plan.last_batch.count() > 0) time += worker.delay * worker.rate;
  worker.step_begin = state_.now;
  worker.work = Work{state_.now, time, worker.rate};
  schedule_end_of_work(index);
  foresee_buckets(index);
}

std::span<Span> Training::buckets_of(std::size_t index) {
  const std::size_t buckets = state_.bucket_ready.size() / state_.workers.size();
  return std::span{state_.bucket_ready}.subspan(index * buckets, buckets);
}

// A change of rate leaves alone what was ready before.
void Training::foresee_buckets(std::size_t index) {
  const WorkerState& worker = state_.workers[index];
  const std::span<Span> ready = buckets_of(index);
  for (std::size_t bucket = 0; bucket < ready.size(); ++bucket) {
    const Seconds left = setup_->communication.overlap->left[index][bucket] * worker.step_time;
    if (left > worker.work.left()) continue;
    ready[bucket] = worker.work.when_left(left) - state_.round_begin;
  }
}

void Training::schedule_end_of_work(std::size_t index) {
  WorkerState& worker = state_.workers[index];
  if (to_seconds(state_.now.time_since_epoch()) + worker.work.time_left() > longest_run) {
    throw RunTooLong{setup_->workers[index].name + " is still in epoch " +
                     std::to_string(state_.epoch) + " after 100 simulated years"};
  }
  worker.work_done =
      state_.events.schedule(worker.work.end(), WorkDone{static_cast<std::uint32_t>(index)});
}

void Training::begin_epoch() {
  ++state_.epoch;
  if (finished()) return;
  apply_interference_of_epoch();
  const bool resized = state_.epoch > 0 && batches_change();
  state_.plan = plan_epoch(state_.decision, setup_->view.epoch_samples, setup_->last_batch);
  state_.planned_at = 0;
  state_.trace.epochs.push_back(
      {.begin = state_.now, .end = state_.now, .lost = state_.plan.lost, .workers = {}});
  state_.finished = 0;
  state_.arrived = 0;
  state_.last_arrival = state_.now;
  std::ranges::fill(state_.seen, Tally{});
  for (std::size_t i = 0; i < state_.workers.size(); ++i) {
    WorkerState& worker = state_.workers[i];
    const WorkerPlan& plan = state_.plan.workers[i];
    worker.doing = WorkerState::Doing::waiting;
    worker.steps_done = 0;
    worker.earlier_weight = 0.0;
    worker.account = {.batch = plan.batch,
                      .weight = plan.weight,
                      .steps = plan.steps,
                      .samples = plan.samples(),
                      .smallest_batch = plan.batch,
                      .largest_batch = plan.batch};
    follow_plan(i);
  }
  if (resized) {
    stand_still();
  } else {
    begin_rounds();
  }
}

void Training::follow_plan(std::size_t index) {
  WorkerState& worker = state_.workers[index];
  const WorkerPlan& plan = state_.plan.workers[index];
  const StepTimeCurve& curve = setup_->workers[index].step_time;
  const auto time_of = [&](Samples batch) {
    return batch.count() == 0 ? Seconds{0.0} : curve.at(batch);
  };
  worker.full_step = time_of(plan.batch);
  worker.last_step = time_of(plan.last_batch);
}

void Training::handle(EpochOver) {
  end_epoch();
  const std::vector<Measurement> epoch = measured_since(std::vector<Tally>(state_.workers.size()));
  if (std::optional<Decision> decision = state_.policy->after_epoch(epoch)) {
    check_decision(*decision, state_.workers.size());
    state_.decision = std::move(*decision);
  }
  begin_epoch();
}

void Training::end_epoch() {
  EpochTrace& epoch = state_.trace.epochs.back();
  epoch.end = state_.now;
  std::int64_t used = 0;
  for (const WorkerState& worker : state_.workers) used += worker.account.samples.count();
  for (const WorkerState& worker : state_.workers) {
    WorkerEpoch account = worker.account;
    if (state_.planned_at > 0) account.weight = average_weight(worker, state_.planned_at);
    account.share =
        used == 0 ? 0.0 : static_cast<double>(account.samples.count()) / static_cast<double>(used);
    epoch.workers.push_back(account);
  }
}

void Training::handle(InterferenceBegins event) { set_active(event.interference, true); }

void Training::handle(InterferenceEnds event) { set_active(event.interference, false); }

void Training::schedule_interference() {
  for (std::size_t i = 0; i < setup_->interference.size(); ++i) {
    const InterferenceSetup& interference = setup_->interference[i];
    const auto index = static_cast<std::uint32_t>(i);
    if (const auto* from = std::get_if<Seconds>(&interference.from)) {
      if (from->count() == 0.0) {
        set_active(i, true);
      } else {
        state_.events.schedule(Instant{to_span(*from)}, InterferenceBegins{index});
      }
    }
    if (!interference.to) continue;
    if (const auto* to = std::get_if<Seconds>(&*interference.to)) {
      state_.events.schedule(Instant{to_span(*to)}, InterferenceEnds{index});
    }
  }
}

void Training::apply_interference_of_epoch() {
  const Moment begin = EpochStart{state_.epoch};
  for (std::size_t i = 0; i < setup_->interference.size(); ++i) {
    if (setup_->interference[i].to == begin) set_active(i, false);
    if (setup_->interference[i].from == begin) set_active(i, true);
  }
}

void Training::set_active(std::size_t interference, bool active) {
  if (state_.interference_active[interference] == active) return;
  state_.interference_active[interference] = active;
  const std::size_t index = setup_->interference[interference].worker;
  WorkerState& worker = state_.workers[index];
  worker.rate = 1.0;
  worker.delay = Seconds{0.0};
  for (const std::size_t i : interference_of_[index]) {
    if (!state_.interference_active[i]) continue;
    worker.rate *= setup_->interference[i].factor;
    worker.delay += setup_->interference[i].delay;
  }
  if (worker.doing != WorkerState::Doing::computing) return;
  worker.work.set_rate(state_.now, worker.rate);
  state_.events.cancel(worker.work_done);
  schedule_end_of_work(index);
  foresee_buckets(index);
}

}  // namespace dbsim
