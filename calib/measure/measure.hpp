#pragma once
// Step times of one device by batch size: how often, in which order, until when.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "calib/backend/step_runner.hpp"
#include "calib/measure/samples.hpp"

namespace dbsim::calib {

struct MeasureOptions {
  std::vector<std::int64_t> batches{};  // rising
  /// Exactly these, however long they take; otherwise batches are added where the curve bends and
  /// where memory ends, and the largest are left out when the budget is too small for them.
  bool only_these{false};
  double precision{0.01};  // half the width of each median's interval, relative
  double budget_s{180.0};  // over all sessions; the least number of visits may take longer
  std::uint64_t seed{1};   // of the order of visits
  std::size_t least_visits{5};
  double least_span_s{60.0};     // from a batch's first visit to its last, or drift goes unseen; at
                                 // most half of the budget
  std::size_t most_batches{24};  // with those added where the curve bends
  double visit_s{0.3};           // timed steps of one visit, at least two
};

struct MeasureProgress {
  std::string what;  // "round 3, batch 128"
  double fraction{};
  double seconds_left{};
};

/// What measuring meets outside the device.
struct Surroundings {
  std::function<double()> now;                         // seconds, never going back
  std::function<bool()> stop;                          // asked between steps
  std::function<void(const MeasureProgress&)> report;  // before each visit; may be empty
  std::function<void(const Measurement&)> keep;        // after each round; may be empty
};

/// Goes on from `so_far` (a fresh Measurement at first). Batches take turns in rounds of shuffled
/// order, so that drift meets all of them; each round visits those whose interval is not yet
/// clearly within the precision. Stopped or not, only complete visits are returned.
/// Where fewer than two batches fit there is no curve, and nothing is visited.
[[nodiscard]] Measurement measure(StepRunner& runner, const MeasureOptions& options,
                                  Measurement so_far, const Surroundings& surroundings);

/// Whether every batch has its least number of visits, and either all are within the precision,
/// their visits far enough apart, or the budget is spent.
[[nodiscard]] bool is_complete(const Measurement& measurement, const MeasureOptions& options);

}  // namespace dbsim::calib
