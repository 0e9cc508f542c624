#pragma once
// What was measured so far, as plain data: visits to batch sizes, each a few timed steps.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calib/backend/step_runner.hpp"

namespace dbsim::calib {

struct StepSample {
  double step{};
  double forward{};
  double backward{};
  double update{};
  friend bool operator==(const StepSample&, const StepSample&) = default;
};

/// The device was made ready for a batch size, warmed up, and timed for a few steps. Steps of one
/// visit resemble each other; visits are what is independent, if anything is.
struct Visit {
  double started_s{};  // since measuring began
  std::vector<StepSample> steps;
  std::vector<double> ready;     // per gradient bucket: fraction of backward after which it was
                                 // complete, median over the steps
  double clock_hz{};             // at its end; 0: not known
  double temperature_celsius{};  // likewise
  bool throttled{false};
  friend bool operator==(const Visit&, const Visit&) = default;
};

struct BatchSamples {
  std::int64_t batch{};
  std::int64_t memory_bytes{};
  std::vector<Visit> visits;  // in the order of time
  friend bool operator==(const BatchSamples&, const BatchSamples&) = default;
};

/// Where the device's memory ends.
struct MemoryLimit {
  std::int64_t fits{0};               // the largest batch known to fit; 0: none does
  std::optional<std::int64_t> fails;  // the smallest known not to fit
  [[nodiscard]] bool exact() const { return fails && *fails == fits + 1; }
  friend bool operator==(const MemoryLimit&, const MemoryLimit&) = default;
};

/// Steps with and without a background load, in turns.
struct InterferenceSamples {
  struct Pair {
    double alone{};  // median step time of a visit
    double loaded{};
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  std::string load;
  int intensity{};
  std::int64_t batch{};
  std::vector<Pair> pairs;
  friend bool operator==(const InterferenceSamples&, const InterferenceSamples&) = default;
};

struct Measurement {
  double elapsed_s{};    // spent so far, over all sessions
  bool explored{false};  // the memory's limit is known, the costs were looked at
  MemoryLimit memory;
  std::optional<std::int64_t> left_out;  // batches from here on were too slow for the budget
  bool fewer_later{false};               // a batch that had fitted did not fit again
  std::vector<BatchSamples> batches;     // rising
  std::vector<InterferenceSamples> interference;  // complete rows only
  friend bool operator==(const Measurement&, const Measurement&) = default;
};

}  // namespace dbsim::calib
