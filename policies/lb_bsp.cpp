#include "policies/lb_bsp.hpp"

#include <algorithm>
#include <cmath>

#include "policies/equal_finish.hpp"
#include "policies/forecast.hpp"
#include "policies/limits.hpp"
#include "policies/measured.hpp"
#include "policies/rounding.hpp"
#include "sim/base/check.hpp"

namespace dbsim {

namespace {

// What is predicted of one worker: its speed, or how many times as long as its profile it takes.
class Prediction {
 public:
  Prediction(LbBspPredictor predictor, double newest)
      : predictor_{predictor}, average_{predictor == LbBspPredictor::last ? 1.0 : newest} {}
  void add(double value) {
    average_.add(value);
    changes_.add(value);
  }
  [[nodiscard]] bool known() const { return average_.known(); }
  [[nodiscard]] double next() const {
    return predictor_ == LbBspPredictor::arima ? changes_.next() : average_.value();
  }

 private:
  LbBspPredictor predictor_;
  MovingAverage average_;
  ChangeForecast changes_;
};

class LbBsp final : public Policy {
 public:
  explicit LbBsp(const LbBspSettings& settings) : settings_{settings} {}

  [[nodiscard]] Decision start(const ClusterView& cluster) override {
    limits_ = limits_of(cluster);
    batch_ = cluster.global_batch.count();
    lines_.clear();
    if (settings_.rule == LbBspRule::gpu) {
      for (const StepTimeCurve* curve : curves_of(cluster)) lines_.push_back(fitted_line(*curve));
    }
    predictions_.assign(limits_.size(), Prediction{settings_.predictor, settings_.newest});
    moves_.assign(limits_.size(), 0);
    pace_ = 1.0;
    in_force_ = equal_batches(batch_, limits_);
    if (settings_.rule == LbBspRule::gpu) in_force_ = apportion(ideal(), batch_, limits_);
    return {.local_batches = as_samples(in_force_)};
  }

  [[nodiscard]] std::optional<std::int64_t> steps_between_decisions() const override {
    return settings_.every;
  }

  [[nodiscard]] std::optional<Decision> after_steps(std::span<const Measurement> steps) override {
    check(steps.size() == predictions_.size(), "every worker is measured, after the start");
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (of_whole_steps(steps[i])) predictions_[i].add(observed(steps[i], i));
    }
    std::vector<double> wanted = ideal();
    if (settings_.halving) slow_down(wanted);
    return changed_to(apportion(wanted, batch_, limits_), in_force_);
  }

  [[nodiscard]] std::unique_ptr<Policy> clone() const override {
    return std::make_unique<LbBsp>(*this);
  }

 private:
  [[nodiscard]] double observed(const Measurement& steps, std::size_t worker) const {
    if (settings_.rule == LbBspRule::cpu) {
      return static_cast<double>(steps.samples.count()) / steps.own.count();
    }
    const FinishLine& line = lines_[worker];
    const double promised = std::max(
        line.floor, line.overhead + line.per_sample * static_cast<double>(steps.batch.count()));
    constexpr double shortest = 1e-9;  // a fitted line may pass below zero
    return step_seconds(steps) / std::max(promised, shortest);
  }

  // Of workers never seen at work, the mean of the others.
  [[nodiscard]] std::vector<double> predicted() const {
    double sum = 0.0;
    double known = 0.0;
    for (const Prediction& prediction : predictions_) {
      if (!prediction.known()) continue;
      sum += prediction.next();
      known += 1.0;
    }
    std::vector<double> values(predictions_.size(), known > 0.0 ? sum / known : 1.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (predictions_[i].known()) values[i] = predictions_[i].next();
    }
    return values;
  }

  [[nodiscard]] std::vector<double> ideal() const {
    const std::vector<double> values = predicted();
    if (settings_.rule == LbBspRule::cpu) return in_proportion(values, batch_, limits_);
    std::vector<FinishLine> lines = lines_;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines[i].overhead *= values[i];
      lines[i].per_sample *= values[i];
      lines[i].floor *= values[i];
    }
    return equal_finish(lines, batch_, limits_);
  }

  void slow_down(std::vector<double>& wanted) {
    bool turned = false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const double move = std::round(wanted[i] - static_cast<double>(in_force_[i]));
      const int way = move > 0.0 ? 1 : (move < 0.0 ? -1 : 0);
      turned = turned || way * moves_[i] < 0;
      if (way != 0) moves_[i] = way;
    }
    if (turned) pace_ *= 0.5;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto now = static_cast<double>(in_force_[i]);
      wanted[i] = now + pace_ * (wanted[i] - now);
    }
  }

  LbBspSettings settings_;
  std::int64_t batch_{};
  std::vector<Bounds> limits_;
  std::vector<FinishLine> lines_;  // of the rule for GPUs
  std::vector<Prediction> predictions_;
  std::vector<int> moves_;  // which way each share moved last
  double pace_{1.0};        // part of a move that is made
  std::vector<std::int64_t> in_force_;
};

}  // namespace

std::unique_ptr<Policy> make_lb_bsp(const LbBspSettings& settings) {
  return std::make_unique<LbBsp>(settings);
}

}  // namespace dbsim
