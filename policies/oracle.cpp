#include "policies/oracle.hpp"

#include <utility>

#include "policies/limits.hpp"
#include "policies/min_max.hpp"

namespace dbsim {

namespace {

class Oracle final : public Policy {
 public:
  [[nodiscard]] Decision start(const ClusterView& cluster) override {
    std::vector<Bounds> limits = limits_of(cluster);
    return {.local_batches = as_samples(min_max_batches(curves_of(cluster), std::move(limits),
                                                        cluster.global_batch.count()))};
  }

  [[nodiscard]] std::unique_ptr<Policy> clone() const override {
    return std::make_unique<Oracle>(*this);
  }
};

}  // namespace

std::unique_ptr<Policy> make_oracle() { return std::make_unique<Oracle>(); }

}  // namespace dbsim
