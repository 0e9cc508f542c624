#include "policies/dbs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "policies/limits.hpp"
#include "policies/measured.hpp"
#include "policies/rounding.hpp"
#include "sim/base/check.hpp"

namespace dbsim {

namespace {

// What a worker did in how long: its speed p = d / t, kept apart because the authors' program
// multiplies before it divides. No seconds: never seen at work.
struct Pace {
  double work{};
  double seconds{};
  [[nodiscard]] bool known() const { return seconds > 0.0; }
  [[nodiscard]] double speed() const { return work / seconds; }
};

// Workers that were never seen at work count as fast as the mean of the others: epoch 0 assumes
// the same of everybody.
std::vector<Pace> completed(std::vector<Pace> paces) {
  double sum = 0.0;
  double seen = 0.0;
  for (const Pace& pace : paces) {
    if (!pace.known()) continue;
    sum += pace.speed();
    seen += 1.0;
  }
  const auto workers = static_cast<double>(paces.size());
  const Pace assumed = seen > 0.0 ? Pace{sum / seen, 1.0} : Pace{1.0 / workers, 1.0};
  std::ranges::replace_if(
      paces, [](const Pace& pace) { return !pace.known(); }, assumed);
  return paces;
}

std::vector<double> speeds_of(const std::vector<Pace>& paces) {
  std::vector<double> speeds(paces.size());
  std::ranges::transform(paces, speeds.begin(), &Pace::speed);
  return speeds;
}

// get_size in the authors' dbs.py, in its order of operations.
std::vector<double> ideal_of_the_program(const std::vector<Pace>& paces, std::int64_t batch) {
  const std::vector<double> speeds = speeds_of(paces);
  const double constant = 1.0 / std::accumulate(speeds.begin(), speeds.end(), 0.0);
  std::vector<double> ratio(paces.size());
  std::ranges::transform(paces, ratio.begin(), [constant](const Pace& pace) {
    return pace.work * constant / pace.seconds;
  });
  const double sum = std::accumulate(ratio.begin(), ratio.end(), 0.0);
  for (double& part : ratio) part = part * static_cast<double>(batch) / sum;
  return ratio;
}

class Dbs final : public Policy {
 public:
  explicit Dbs(DbsRule rule) : rule_{rule} {}

  [[nodiscard]] Decision start(const ClusterView& cluster) override {
    require_a_sample_each(cluster);
    if (rule_.mode == DbsMode::paper) limits_ = limits_of(cluster);
    batch_ = cluster.global_batch.count();
    epoch_samples_ = cluster.epoch_samples.count();
    paces_.assign(cluster.workers.size(), Pace{});
    current_ = decide();
    return current_;
  }

  [[nodiscard]] std::optional<Decision> after_epoch(std::span<const Measurement> epoch) override {
    check(epoch.size() == paces_.size(), "every worker is measured, after the start");
    for (std::size_t i = 0; i < epoch.size(); ++i) {
      if (usable(epoch[i])) paces_[i] = smoothed(pace_of(epoch[i], i), paces_[i]);
    }
    const std::vector<double> shares = shares_;
    Decision next = decide();
    if (next == current_) return std::nullopt;
    if (within_the_dead_band(next)) {
      shares_ = shares;
      return std::nullopt;
    }
    current_ = next;
    return next;
  }

  [[nodiscard]] std::unique_ptr<Policy> clone() const override {
    return std::make_unique<Dbs>(*this);
  }

 private:
  // d and t of the same epoch. In the paper's mode samples stand for d: they differ by a factor
  // that all workers share and that the normalisation removes. The program takes the d it decided
  // on, although it hands out int(d N) samples, and passes t around as 32-bit floats.
  [[nodiscard]] Pace pace_of(const Measurement& epoch, std::size_t worker) const {
    if (rule_.mode == DbsMode::paper) {
      return {static_cast<double>(epoch.samples.count()), epoch.own.count()};
    }
    return {shares_[worker], static_cast<double>(static_cast<float>(epoch.own.count()))};
  }

  [[nodiscard]] Pace smoothed(const Pace& newest, const Pace& before) const {
    if (rule_.newest >= 1.0 || !before.known() || !(newest.work > 0.0)) return newest;
    const double per_share = rule_.newest * (newest.seconds / newest.work) +
                             (1.0 - rule_.newest) * (before.seconds / before.work);
    return {newest.work, per_share * newest.work};
  }

  [[nodiscard]] bool within_the_dead_band(const Decision& next) const {
    if (rule_.dead_band <= 0.0) return false;
    for (std::size_t i = 0; i < next.local_batches.size(); ++i) {
      const auto now = static_cast<double>(current_.local_batches[i].count());
      const auto then = static_cast<double>(next.local_batches[i].count());
      if (std::abs(then - now) > rule_.dead_band * now) return false;
    }
    return true;
  }

  Decision decide() {
    const std::vector<Pace> paces = completed(paces_);
    Decision decision =
        rule_.mode == DbsMode::paper ? decide_by_paper(paces) : decide_by_code(paces);
    if (rule_.weights == DbsWeights::uniform) {
      decision.weights.assign(paces.size(), 1.0 / static_cast<double>(paces.size()));
    }
    return decision;
  }

  // Ye et al., appendix A: the whole numbers nearest to d B that keep the sum B.
  [[nodiscard]] Decision decide_by_paper(const std::vector<Pace>& paces) const {
    const std::vector<double> ideal = in_proportion(speeds_of(paces), batch_, limits_);
    return {.local_batches = as_samples(apportion(ideal, batch_, limits_))};
  }

  // dbs.py and dataloader.py: shares are those of the rounded batches, whose sum may be below B,
  // and slice and loader batch are cut from the shares.
  Decision decide_by_code(const std::vector<Pace>& paces) {
    const std::vector<std::int64_t> batches =
        round_like_the_program(ideal_of_the_program(paces, batch_), batch_);
    const auto sum =
        static_cast<double>(std::accumulate(batches.begin(), batches.end(), std::int64_t{0}));
    Decision decision;
    shares_.clear();
    for (const std::int64_t rounded : batches) {
      const double share = static_cast<double>(rounded) / sum;
      shares_.push_back(share);
      decision.local_batches.emplace_back(
          static_cast<std::int64_t>(static_cast<double>(batch_) * share));
      decision.slices.emplace_back(
          static_cast<std::int64_t>(share * static_cast<double>(epoch_samples_)));
    }
    decision.weights = shares_;
    return decision;
  }

  DbsRule rule_;
  std::int64_t batch_{};
  std::int64_t epoch_samples_{};
  std::vector<Bounds> limits_;  // of the paper's mode
  std::vector<double> shares_;  // d of the program's mode
  std::vector<Pace> paces_;
  Decision current_;
};

}  // namespace

std::unique_ptr<Policy> make_dbs(DbsRule rule) { return std::make_unique<Dbs>(rule); }

}  // namespace dbsim
