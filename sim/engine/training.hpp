#pragma once
// The training loop: workers compute, wait for the slowest, synchronise, and a policy divides the
// next epoch.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/run_state.hpp"
#include "sim/engine/run_too_long.hpp"
#include "sim/model/setup.hpp"
#include "sim/policy/terms.hpp"

namespace dbsim {

class Training {
 public:
  /// `setup` must outlive the training and its copies.
  Training(const Setup& setup, std::unique_ptr<Policy> policy, const RandomStreams& streams,
           const PolicyTerms& terms = {});

  [[nodiscard]] bool finished() const { return state_.epoch == setup_->epochs; }
  /// Takes the next event. Does nothing once finished. Throws RunTooLong.
  void advance();
  [[nodiscard]] const RunTrace& trace() const { return state_.trace; }
  [[nodiscard]] Instant now() const { return state_.now; }

 private:
  void handle(WorkDone event);
  void handle(CommunicationDone event);
  void handle(InterferenceBegins event);
  void handle(InterferenceEnds event);
  void handle(Rebalanced event);
  void handle(EpochOver event);

  void begin_epoch();
  void follow_plan(std::size_t worker);
  void end_epoch();
  [[nodiscard]] Tally tally_of(std::size_t worker) const;
  [[nodiscard]] std::vector<Measurement> measured_since(const std::vector<Tally>& before) const;
  [[nodiscard]] bool decision_is_due() const;
  [[nodiscard]] bool decide_within_epoch();
  void deal_anew_what_is_left();
  [[nodiscard]] bool batches_change() const;
  void stand_still();
  void begin_rounds();
  void begin_round(std::size_t worker);
  void begin_step(std::size_t worker);
  void schedule_end_of_work(std::size_t worker);
  void foresee_buckets(std::size_t worker);
  [[nodiscard]] std::span<Span> buckets_of(std::size_t worker);
  void synchronise_when_all_have_arrived();
  void report_deadlock();
  void schedule_interference();
  void apply_interference_of_epoch();
  void set_active(std::size_t interference, bool active);

  const Setup* setup_;
  PolicyTerms terms_;
  std::optional<std::int64_t> steps_between_decisions_;
  std::vector<std::vector<std::size_t>>
      interference_of_;  // by worker: indices into Setup::interference
  RunState state_;
};

}  // namespace dbsim
