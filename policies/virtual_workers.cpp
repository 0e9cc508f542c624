#include "policies/virtual_workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "policies/limits.hpp"
#include "policies/min_max.hpp"

namespace dbsim {

namespace {

struct Assignment {
  std::vector<std::int64_t> batches;
  double slowest{std::numeric_limits<double>::infinity()};
};

class VirtualWorkers final : public Policy {
 public:
  explicit VirtualWorkers(const VirtualWorkersSettings& settings) : settings_{settings} {}

  [[nodiscard]] Decision start(const ClusterView& cluster) override {
    const std::vector<Bounds> limits = limits_of(cluster);
    const std::vector<const StepTimeCurve*> curves = curves_of(cluster);
    const std::int64_t batch = cluster.global_batch.count();
    Assignment best;
    for (const std::int64_t local : candidates(curves, batch)) {
      Assignment found = assigned(curves, limits, batch, local);
      if (found.slowest < best.slowest) best = std::move(found);
    }
    if (best.batches.empty()) {
      throw std::invalid_argument{fmt::format(
          "a local batch {} that divides the global batch of {} and fits on every worker",
          settings_.local_batch ? fmt::format("other than {}", *settings_.local_batch)
                                : "measured by all profiles",
          batch)};
    }
    return {.local_batches = as_samples(best.batches)};
  }

  [[nodiscard]] std::unique_ptr<Policy> clone() const override {
    return std::make_unique<VirtualWorkers>(*this);
  }

 private:
  // The largest first.
  [[nodiscard]] std::vector<std::int64_t> candidates(
      const std::vector<const StepTimeCurve*>& curves, std::int64_t batch) const {
    if (settings_.local_batch) return {*settings_.local_batch};
    const auto measured = std::ranges::find_if(
        curves, [](const StepTimeCurve* curve) { return !curve->points().empty(); });
    if (measured == curves.end()) {
      constexpr std::int64_t replicas_of_an_equal_share = 4;
      const std::int64_t most = batch / std::ssize(curves) / replicas_of_an_equal_share;
      std::int64_t local = 1;
      while (2 * local <= most && batch % (2 * local) == 0) local *= 2;
      return {local};
    }
    std::vector<std::int64_t> common;
    for (const StepTimePoint& point : (*measured)->points()) common.push_back(point.batch.count());
    for (const StepTimeCurve* curve : curves) {
      if (curve->points().empty()) continue;
      std::erase_if(common, [curve](std::int64_t local) {
        return !std::ranges::binary_search(curve->points(), Samples{local}, {},
                                           &StepTimePoint::batch);
      });
    }
    std::ranges::reverse(common);
    return common;
  }

  // Empty where the local batch does not divide, or not everybody can have one.
  [[nodiscard]] static Assignment assigned(const std::vector<const StepTimeCurve*>& curves,
                                           const std::vector<Bounds>& limits, std::int64_t batch,
                                           std::int64_t local) {
    const std::int64_t replicas = batch / local;
    if (batch % local != 0 || replicas < std::ssize(curves)) return {};
    std::vector<Bounds> units;
    std::int64_t room = 0;
    for (const Bounds& limit : limits) {
      units.push_back({1, limit.most / local});
      if (units.back().most < 1) return {};
      room += std::min(units.back().most, replicas);
    }
    if (room < replicas) return {};
    Assignment found{min_max_batches(curves, units, replicas, local), 0.0};
    for (std::size_t i = 0; i < curves.size(); ++i) {
      found.batches[i] *= local;
      found.slowest = std::max(found.slowest, curves[i]->at(Samples{found.batches[i]}).count());
    }
    return found;
  }

  VirtualWorkersSettings settings_;
};

}  // namespace

std::unique_ptr<Policy> make_virtual_workers(const VirtualWorkersSettings& settings) {
  return std::make_unique<VirtualWorkers>(settings);
}

}  // namespace dbsim
