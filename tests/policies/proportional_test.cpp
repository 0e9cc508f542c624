#include "policies/proportional.hpp"

#include <cmath>
#include <stdexcept>

#include "policies/oracle.hpp"
#include "tests/catch.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

Whole start_of(const ClusterView& cluster) {
  return counts_of(make_proportional()->start(cluster).local_batches);
}

}  // namespace

TEST_CASE("without overhead, proportional shares finish together", "[proportional]") {
  const ClusterView cluster = cluster_of({{0.0, 1e-3}, {0.0, 2e-3}, {0.0, 4e-3}}, 700);
  CHECK(start_of(cluster) == Whole{400, 200, 100});
}

TEST_CASE("proportional shares follow the speed at an equal share", "[proportional]") {
  const ClusterView cluster = cluster_of(lbb_lines(), 512);
  std::vector<double> speeds;
  double sum = 0.0;
  for (const Line& line : lbb_lines()) {
    speeds.push_back(128.0 / (line.overhead + line.per_sample * 128.0));
    sum += speeds.back();
  }
  const Whole batches = start_of(cluster);
  CHECK(sum_of(make_proportional()->start(cluster).local_batches) == 512);
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    CHECK(std::abs(static_cast<double>(batches[i]) - 512.0 * speeds[i] / sum) <= 0.75);
  }
}

TEST_CASE("proportional takes the speed at the exact equal share, whole or not", "[proportional]") {
  // At 2.5 samples the second worker is half as fast; at 2 or 3 it would not be.
  const std::vector<StepTimePoint> kinked{{Samples{2}, Seconds{1.0}}, {Samples{3}, Seconds{9.0}}};
  ClusterView cluster = cluster_of({{0.0, 1.0}, {0.0, 1.0}}, 5);
  cluster.workers[1].nominal = StepTimeCurve{kinked};
  CHECK(start_of(cluster) == Whole{3, 2});
}

TEST_CASE("what does not fit into a worker's memory goes to the others alike", "[proportional]") {
  ClusterView cluster = cluster_of({{0.0, 1e-3}, {0.0, 1e-3}, {0.0, 1e-3}}, 300);
  cluster.workers[0].max_batch = Samples{40};
  CHECK(start_of(cluster) == Whole{40, 130, 130});
}

TEST_CASE("the slowest worker still gets a sample", "[proportional]") {
  CHECK(start_of(cluster_of({{0.0, 1e-3}, {0.0, 1e3}}, 10)) == Whole{9, 1});
}

TEST_CASE("proportional never changes its mind", "[proportional]") {
  const ClusterView cluster = cluster_of(lbb_lines(), 512);
  const std::unique_ptr<Policy> policy = make_proportional();
  const Decision decision = policy->start(cluster);
  CHECK_FALSE(policy->after_epoch(epoch_of(cluster, decision)));
}

TEST_CASE("proportional and oracle name the worker whose profile is missing", "[proportional]") {
  ClusterView cluster = cluster_of(lbb_lines(), 512);
  cluster.workers[2].nominal.reset();
  CHECK(message_of<std::invalid_argument>([&] { (void)start_of(cluster); }) ==
        "a profile for worker \"w2\"");
  CHECK(message_of<std::invalid_argument>([&] { (void)make_oracle()->start(cluster); }) ==
        "a profile for worker \"w2\"");
}

TEST_CASE("proportional and oracle refuse a global batch that memory cannot hold",
          "[proportional]") {
  ClusterView cluster = cluster_of({{0.0, 1e-3}, {0.0, 1e-3}}, 300);
  for (WorkerView& worker : cluster.workers) worker.max_batch = Samples{149};
  const std::string expected =
      "a global batch of at most 298, what the memory of all workers holds, not 300";
  CHECK(message_of<std::invalid_argument>([&] { (void)start_of(cluster); }) == expected);
  CHECK(message_of<std::invalid_argument>([&] { (void)make_oracle()->start(cluster); }) ==
        expected);
  cluster.workers[1].max_batch = Samples{0};
  CHECK_THROWS_AS(start_of(cluster), std::invalid_argument);
}

TEST_CASE("proportional refuses a profile without time at the equal share", "[proportional]") {
  ClusterView cluster = cluster_of({{0.0, 1e-3}, {0.0, 1e-3}}, 4);
  cluster.workers[1].nominal =
      StepTimeCurve{{{Samples{100}, Seconds{1.0}}, {Samples{101}, Seconds{2.0}}}};
  CHECK_THROWS_AS(start_of(cluster), std::invalid_argument);
}
