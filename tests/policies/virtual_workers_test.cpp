#include "policies/virtual_workers.hpp"

#include <array>

#include "policies/oracle.hpp"
#include "tests/catch.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

// Forward and backward of ResNet-50 at 32, 64, 96, 128 and 160 samples in ms, IIDP's quick start
// (github.com/unist-ssl/IIDP at 1de2e40, examples/imagenet/resnet50_quickstart).
constexpr std::array<double, 5> v100{98.5, 186.5, 270.8, 357.0, 451.0};
constexpr std::array<double, 5> p100{156.0, 293.6, 436.2, 570.6, 714.3};

StepTimeCurve curve_of(const std::array<double, 5>& times) {
  std::vector<StepTimePoint> points;
  for (std::size_t i = 0; i < times.size(); ++i) {
    points.push_back({Samples{32 * static_cast<std::int64_t>(i + 1)}, Seconds{1e-3 * times[i]}});
  }
  return StepTimeCurve{points};
}

ClusterView published_cluster() {
  ClusterView cluster = unknown_cluster(8, 512);
  for (std::size_t i = 0; i < 8; ++i) cluster.workers[i].nominal = curve_of(i < 4 ? v100 : p100);
  return cluster;
}

}  // namespace

TEST_CASE("four V100 and four P100 share 512 samples as 96 and 32", "[virtual-workers]") {
  const ClusterView cluster = published_cluster();
  const Decision decision = make_virtual_workers()->start(cluster);
  CHECK(counts_of(decision.local_batches) == Whole{96, 96, 96, 96, 32, 32, 32, 32});
  CHECK(slowest_step(cluster, decision) == Approx(0.271).epsilon(0.03));
}

TEST_CASE("without the grid of replicas 79 and 49 would be about 17 % faster",
          "[virtual-workers]") {
  const ClusterView cluster = published_cluster();
  const Decision best = make_oracle()->start(cluster);
  CHECK(std::abs(best.local_batches[0].count() - 79) <= 1);
  CHECK(std::abs(best.local_batches[7].count() - 49) <= 1);
  CHECK(slowest_step(cluster, best) == Approx(0.229).epsilon(0.01));
  const double gain = 1.0 - slowest_step(cluster, best) /
                                slowest_step(cluster, make_virtual_workers()->start(cluster));
  CHECK(gain == Approx(0.17).margin(0.02));
}

TEST_CASE("a finer local batch comes closer to the optimum", "[virtual-workers]") {
  const ClusterView cluster = published_cluster();
  const Decision decision = make_virtual_workers({.local_batch = 16})->start(cluster);
  CHECK(counts_of(decision.local_batches) == Whole{80, 80, 80, 80, 48, 48, 48, 48});
}

TEST_CASE("replicas stay within memory", "[virtual-workers]") {
  ClusterView cluster = published_cluster();
  for (std::size_t i = 0; i < 4; ++i) cluster.workers[i].max_batch = Samples{70};
  const Decision decision = make_virtual_workers()->start(cluster);
  CHECK(counts_of(decision.local_batches) == Whole(8, 64));
}

TEST_CASE("a local batch that does not divide, or does not fit, is refused", "[virtual-workers]") {
  ClusterView cluster = published_cluster();
  const auto refusal = [&](const VirtualWorkersSettings& settings) {
    return message_of<std::invalid_argument>(
        [&] { (void)make_virtual_workers(settings)->start(cluster); });
  };
  CHECK(refusal({.local_batch = 48}) ==
        "a local batch other than 48 that divides the global batch of 512 and fits on every "
        "worker");
  cluster.workers[0].max_batch = Samples{20};
  CHECK(refusal({}) ==
        "a local batch measured by all profiles that divides the global batch of 512 and fits on "
        "every worker");
}
