#include "policies/proportional_controller.hpp"

#include <algorithm>
#include <cmath>

#include "policies/forecast.hpp"
#include "policies/limits.hpp"
#include "policies/measured.hpp"
#include "policies/rounding.hpp"
#include "sim/base/check.hpp"

namespace dbsim {

namespace {

// What a worker showed before the last change.
struct Before {
  std::int64_t batch{};
  double throughput{};  // samples per second; 0: not known
};

class ProportionalController final : public Policy {
 public:
  explicit ProportionalController(const ControllerSettings& settings) : settings_{settings} {}

  [[nodiscard]] Decision start(const ClusterView& cluster) override {
    limits_ = limits_of(cluster, settings_.least, settings_.most);
    batch_ = cluster.global_batch.count();
    times_.assign(limits_.size(), MovingAverage{settings_.newest});
    before_.assign(limits_.size(), Before{});
    in_force_ = equal_batches(batch_, limits_);
    return {.local_batches = as_samples(in_force_)};
  }

  [[nodiscard]] std::optional<std::int64_t> steps_between_decisions() const override {
    return settings_.every;
  }

  [[nodiscard]] std::optional<Decision> after_steps(std::span<const Measurement> steps) override {
    check(steps.size() == times_.size(), "every worker is measured, after the start");
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (of_whole_steps(steps[i])) times_[i].add(step_seconds(steps[i]));
    }
    const std::vector<double> wanted = candidates();
    if (!leaves_the_dead_band(wanted)) return std::nullopt;
    if (settings_.lower_limits) lower_limits_that_did_not_pay();
    std::vector<std::int64_t> next =
        apportion(in_proportion(wanted, batch_, limits_), batch_, limits_);
    if (next == in_force_) return std::nullopt;
    for (std::size_t i = 0; i < next.size(); ++i) {
      before_[i] = {in_force_[i], times_[i].known() ? throughput(i) : 0.0};
      times_[i].forget();
    }
    return changed_to(next, in_force_);
  }

  [[nodiscard]] std::unique_ptr<Policy> clone() const override {
    return std::make_unique<ProportionalController>(*this);
  }

 private:
  // A worker that has not been seen since the last change wants none.
  [[nodiscard]] std::vector<double> candidates() const {
    double sum = 0.0;
    double known = 0.0;
    for (const MovingAverage& time : times_) {
      if (!time.known()) continue;
      sum += time.value();
      known += 1.0;
    }
    std::vector<double> wanted(in_force_.begin(), in_force_.end());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (times_[i].known()) wanted[i] *= sum / known / times_[i].value();
    }
    return wanted;
  }

  [[nodiscard]] bool leaves_the_dead_band(const std::vector<double>& wanted) const {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto now = static_cast<double>(in_force_[i]);
      if (std::abs(wanted[i] - now) > settings_.dead_band * now) return true;
    }
    return false;
  }

  [[nodiscard]] double throughput(std::size_t worker) const {
    return static_cast<double>(in_force_[worker]) / times_[worker].value();
  }

  void lower_limits_that_did_not_pay() {
    std::int64_t room = 0;
    for (const Bounds& limit : limits_) room += std::min(limit.most, batch_);
    for (std::size_t i = 0; i < limits_.size(); ++i) {
      const Before& before = before_[i];
      if (!times_[i].known() || in_force_[i] <= before.batch) continue;
      const double enough = (1.0 - settings_.dead_band) * before.throughput;
      if (!(throughput(i) < enough) || before.batch < limits_[i].least) continue;
      const std::int64_t less = std::min(limits_[i].most, batch_) - before.batch;
      if (room - less < batch_) continue;
      room -= less;
      limits_[i].most = before.batch;
    }
  }

  ControllerSettings settings_;
  std::int64_t batch_{};
  std::vector<Bounds> limits_;
  std::vector<MovingAverage> times_;  // of one step, since the last change
  std::vector<Before> before_;
  std::vector<std::int64_t> in_force_;
};

}  // namespace

std::unique_ptr<Policy> make_proportional_controller(const ControllerSettings& settings) {
  return std::make_unique<ProportionalController>(settings);
}

}  // namespace dbsim
