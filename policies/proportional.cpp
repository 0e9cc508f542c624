#include "policies/proportional.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "policies/limits.hpp"
#include "policies/rounding.hpp"

namespace dbsim {

namespace {

class Proportional final : public Policy {
 public:
  [[nodiscard]] Decision start(const ClusterView& cluster) override {
    const std::vector<Bounds> limits = limits_of(cluster);
    const std::vector<const StepTimeCurve*> curves = curves_of(cluster);
    const double equal_share = static_cast<double>(cluster.global_batch.count()) /
                               static_cast<double>(cluster.workers.size());
    std::vector<double> speeds;
    speeds.reserve(curves.size());
    for (std::size_t i = 0; i < curves.size(); ++i) {
      const double time = curves[i]->at(equal_share).count();
      if (!(time > 0.0) || !std::isfinite(equal_share / time)) {
        throw std::invalid_argument{
            fmt::format("a profile of worker \"{}\" whose step time at batch {:g} is positive",
                        cluster.workers[i].name, equal_share)};
      }
      speeds.push_back(equal_share / time);
    }
    const std::vector<double> ideal = in_proportion(speeds, cluster.global_batch.count(), limits);
    return {.local_batches = as_samples(apportion(ideal, cluster.global_batch.count(), limits))};
  }

  [[nodiscard]] std::unique_ptr<Policy> clone() const override {
    return std::make_unique<Proportional>(*this);
  }
};

}  // namespace

std::unique_ptr<Policy> make_proportional() { return std::make_unique<Proportional>(); }

}  // namespace dbsim
