#include "policies/omnilearn.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "policies/limits.hpp"
#include "policies/measured.hpp"
#include "sim/base/check.hpp"

namespace dbsim {

namespace {

// As the program's command line has them.
constexpr std::int64_t least_of_the_program = 16;
constexpr std::int64_t most_of_the_program = 96;

class OmniLearn final : public Policy {
 public:
  explicit OmniLearn(const OmniLearnSettings& settings) : settings_{settings} {}

  [[nodiscard]] Decision start(const ClusterView& cluster) override {
    require_a_sample_each(cluster);
    batch_ = cluster.global_batch.count();
    if (settings_.mode == OmniLearnMode::paper) {
      limits_ = limits_of(cluster, settings_.least.value_or(1), settings_.most);
    } else {
      limits_.assign(cluster.workers.size(), Bounds{1, batch_});
    }
    in_force_ = equal_batches(batch_, limits_);
    times_.assign(limits_.size(), 0.0);
    return {.local_batches = as_samples(in_force_)};
  }

  [[nodiscard]] std::optional<Decision> after_epoch(std::span<const Measurement> epoch) override {
    check(epoch.size() == times_.size(), "every worker is measured, after the start");
    for (std::size_t i = 0; i < epoch.size(); ++i) {
      const bool seen = usable(epoch[i]) && epoch[i].steps > 0;
      times_[i] = seen ? step_seconds(epoch[i]) : 0.0;
    }
    const std::vector<double> wanted = candidates();
    return changed_to(settings_.mode == OmniLearnMode::paper ? by_paper(wanted) : by_code(wanted),
                      in_force_);
  }

  [[nodiscard]] std::unique_ptr<Policy> clone() const override {
    return std::make_unique<OmniLearn>(*this);
  }

 private:
  // A worker that was not seen at work keeps its batch.
  [[nodiscard]] std::vector<double> candidates() const {
    double sum = 0.0;
    double known = 0.0;
    for (const double time : times_) {
      sum += time;
      known += time > 0.0 ? 1.0 : 0.0;
    }
    std::vector<double> wanted(in_force_.begin(), in_force_.end());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!(times_[i] > 0.0)) continue;
      const double candidate = wanted[i] * (sum / known / times_[i]);
      if (std::abs(candidate - wanted[i]) >= settings_.dead_band * candidate) wanted[i] = candidate;
    }
    return wanted;
  }

  // Least squares moves everybody by as much, as far as the bounds allow.
  [[nodiscard]] std::vector<std::int64_t> by_paper(std::vector<double> wanted) const {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      wanted[i] = std::clamp(wanted[i], static_cast<double>(limits_[i].least),
                             static_cast<double>(limits_[i].most));
    }
    return apportion(wanted, batch_, limits_);
  }

  // evaluate_bsz and adjust_bsz_bounds in bsp_omnilearn.py, in their order.
  [[nodiscard]] std::vector<std::int64_t> by_code(const std::vector<double>& wanted) const {
    const auto least = static_cast<double>(settings_.least.value_or(least_of_the_program));
    const auto most = static_cast<double>(settings_.most.value_or(most_of_the_program));
    const auto workers = static_cast<double>(wanted.size());
    std::vector<double> batches;
    double spread = 0.0;
    for (const double candidate : wanted) {
      const double bounded = candidate < least ? least : (candidate > most ? most : candidate);
      spread += std::ceil((candidate - bounded) / workers);
      batches.push_back(std::ceil(bounded));
    }
    for (double& batch : batches) batch += spread;
    const double sum = std::accumulate(batches.begin(), batches.end(), 0.0);
    const double excess = (sum - static_cast<double>(batch_)) / workers;
    std::vector<std::int64_t> rounded;
    for (const double batch : batches) {
      const double mended = std::ceil(batch - excess);
      rounded.push_back(
          static_cast<std::int64_t>(std::clamp(mended, 1.0, static_cast<double>(batch_))));
    }
    return rounded;
  }

  OmniLearnSettings settings_;
  std::int64_t batch_{};
  std::vector<Bounds> limits_;
  std::vector<double> times_;  // of one step in the last epoch; 0: not seen
  std::vector<std::int64_t> in_force_;
};

}  // namespace

std::unique_ptr<Policy> make_omnilearn(const OmniLearnSettings& settings) {
  return std::make_unique<OmniLearn>(settings);
}

}  // namespace dbsim
