#include "policies/lbb.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "policies/equal_finish.hpp"
#include "policies/limits.hpp"
#include "policies/measured.hpp"
#include "policies/min_max.hpp"
#include "sim/base/check.hpp"

namespace dbsim {

namespace {

struct Thresholds {
  double balanced;
  double fine;
};
constexpr Thresholds of_the_paper{.balanced = 0.05, .fine = 0.3};
constexpr Thresholds of_the_program{.balanced = 0.06, .fine = 0.15};
constexpr double fine_again_in_the_program = 0.05;  // it tests the ranges one after the other

class Lbb final : public Policy {
 public:
  explicit Lbb(const LbbSettings& settings) : settings_{settings} {}

  [[nodiscard]] Decision start(const ClusterView& cluster) override {
    limits_ = limits_of(cluster);
    batch_ = cluster.global_batch.count();
    const std::vector<const StepTimeCurve*> curves = curves_of(cluster);
    overheads_.clear();
    for (const StepTimeCurve* curve : curves) overheads_.push_back(curve->at(0.0).count());
    in_force_ = settings_.start == LbbStart::equal ? equal_batches(batch_, limits_)
                                                   : min_max_batches(curves, limits_, batch_);
    if (settings_.mode == LbbMode::code) limits_.assign(limits_.size(), Bounds{1, batch_});
    counted_ = 0;
    return decision();
  }

  [[nodiscard]] std::optional<std::int64_t> steps_between_decisions() const override { return 1; }

  [[nodiscard]] std::optional<Decision> after_steps(std::span<const Measurement> steps) override {
    check(steps.size() == overheads_.size(), "every worker is measured, after the start");
    if (!std::ranges::all_of(steps, of_whole_steps)) return std::nullopt;
    std::vector<double> times(steps.size());
    std::ranges::transform(steps, times.begin(), step_seconds);
    const std::vector<std::int64_t> before = in_force_;
    if (settings_.mode == LbbMode::paper) {
      tune_by_paper(times);
    } else {
      tune_by_code(times);
    }
    if (in_force_ == before) return std::nullopt;
    return decision();
  }

  [[nodiscard]] std::unique_ptr<Policy> clone() const override {
    return std::make_unique<Lbb>(*this);
  }

 private:
  [[nodiscard]] static double straggling(const std::vector<double>& times) {
    const auto [least, most] = std::ranges::minmax(times);
    const double sum = std::accumulate(times.begin(), times.end(), 0.0);
    return (most - least) / (sum / static_cast<double>(times.size()));
  }

  void tune_by_paper(const std::vector<double>& times) {
    const bool only_fine = counted_ > 0;
    counted_ = std::max<std::int64_t>(counted_ - 1, 0);
    const double straggle = straggling(times);
    if (straggle < of_the_paper.balanced) return;
    if (only_fine || straggle < of_the_paper.fine) return move_one_sample(times);
    in_force_ = apportion(solved_anew(times), batch_, limits_);
    counted_ = settings_.window;
  }

  void tune_by_code(const std::vector<double>& times) {
    const double straggle = straggling(times);
    if (straggle > 0.0 && straggle <= of_the_program.balanced) ++counted_;
    const bool fine = straggle > fine_again_in_the_program && straggle <= of_the_program.fine;
    if (fine || counted_ < settings_.window) move_one_sample(times);
    if (straggle <= of_the_program.fine || counted_ <= settings_.window) return;
    counted_ = 0;
    const std::vector<double> solved = solved_anew(times);
    for (std::size_t i = 0; i < solved.size(); ++i) {
      in_force_[i] = std::max<std::int64_t>(std::llround(solved[i]), 1);
    }
  }

  void move_one_sample(const std::vector<double>& times) {
    const auto slowest = static_cast<std::size_t>(std::ranges::max_element(times) - times.begin());
    const auto fastest = static_cast<std::size_t>(std::ranges::min_element(times) - times.begin());
    const bool possible =
        in_force_[slowest] > limits_[slowest].least && in_force_[fastest] < limits_[fastest].most;
    if (slowest == fastest || !possible) return;
    --in_force_[slowest];
    ++in_force_[fastest];
  }

  // A worker that took less than its overhead counts as having none.
  [[nodiscard]] std::vector<double> solved_anew(const std::vector<double>& times) const {
    std::vector<FinishLine> lines;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double overhead = overheads_[i] < times[i] ? overheads_[i] : 0.0;
      lines.push_back({.overhead = overhead,
                       .per_sample = (times[i] - overhead) / static_cast<double>(in_force_[i])});
    }
    return equal_finish(lines, batch_, limits_);
  }

  [[nodiscard]] Decision decision() const {
    Decision decision{.local_batches = as_samples(in_force_)};
    if (settings_.mode == LbbMode::paper) return decision;
    for (const std::int64_t batch : in_force_) {
      decision.weights.push_back(static_cast<double>(batch) / static_cast<double>(batch_));
    }
    return decision;
  }

  LbbSettings settings_;
  std::int64_t batch_{};
  std::vector<Bounds> limits_;
  std::vector<double> overheads_;  // seconds, from the profiles
  std::int64_t
      counted_{};  // paper: steps of fine tuning left; code: balanced steps since a rapid one
  std::vector<std::int64_t> in_force_;
};

}  // namespace

std::unique_ptr<Policy> make_lbb(const LbbSettings& settings) {
  return std::make_unique<Lbb>(settings);
}

}  // namespace dbsim
