#include <cmath>
#include <numeric>

#include "policies/dbs.hpp"
#include "tests/catch.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

const DbsRule as_published{.mode = DbsMode::code};

Decision start_of(std::size_t workers, std::int64_t batch) {
  return make_dbs(as_published)->start(unknown_cluster(workers, batch));
}

Decision after_times(std::size_t workers, std::int64_t batch, const std::vector<double>& times) {
  const std::unique_ptr<Policy> policy = make_dbs(as_published);
  const Decision start = policy->start(unknown_cluster(workers, batch));
  return policy->after_epoch(epoch_with_times(start, times)).value_or(start);
}

}  // namespace

TEST_CASE("the program starts with equal shares, and already loses samples", "[dbs-code]") {
  CHECK(counts_of(start_of(16, 500).local_batches) == Whole(16, 31));
  CHECK(sum_of(start_of(16, 500).local_batches) == 496);
  CHECK(counts_of(start_of(3, 64).local_batches) == Whole{21, 21, 21});
  CHECK(counts_of(start_of(4, 512).local_batches) == Whole(4, 128));
}

TEST_CASE("the program's weights are its shares, from epoch 0 on", "[dbs-code]") {
  CHECK(start_of(16, 500).weights == std::vector<double>(16, 1.0 / 16.0));
  const Decision later = after_times(2, 96, {1.0, 2.0});
  CHECK(later.weights == std::vector{64.0 / 96.0, 32.0 / 96.0});
}

TEST_CASE("the program's slices are int(d N), and what is left over is lost", "[dbs-code]") {
  CHECK(counts_of(start_of(16, 500).slices) == Whole(16, 3'125));
  CHECK(counts_of(start_of(3, 64).slices) == Whole(3, 16'666));
  const Decision later = after_times(2, 96, {1.0, 2.0});
  CHECK(counts_of(later.slices) == Whole{33'333, 16'666});
}

TEST_CASE("the program cuts its loader batches from shares of the shrunk sum", "[dbs-code]") {
  // Ideals 256.4, 63.4, 64.4, 63.4 and 64.4 lose their fractions: a sum of 510. The largest loader
  // batch becomes int(512 * 256 / 510) = 257.
  const Decision decision =
      after_times(5, 512, {1.0 / 256.4, 1.0 / 63.4, 1.0 / 64.4, 1.0 / 63.4, 1.0 / 64.4});
  CHECK(counts_of(decision.local_batches) == Whole{257, 63, 64, 63, 64});
  CHECK(decision.weights.front() == 256.0 / 510.0);
}

TEST_CASE("a share below half a sample rounds to a batch of nothing", "[dbs-code]") {
  const Decision decision = after_times(2, 16, {1.0, 100.0});
  CHECK(counts_of(decision.local_batches) == Whole{16, 0});
  CHECK(counts_of(decision.slices) == Whole{50'000, 0});
}

TEST_CASE("the program knows no memory limit", "[dbs-code]") {
  ClusterView cluster = unknown_cluster(2, 100);
  cluster.workers[0].max_batch = Samples{60};
  const std::unique_ptr<Policy> policy = make_dbs(as_published);
  const Decision start = policy->start(cluster);
  const auto next = policy->after_epoch(epoch_with_times(start, {1.0, 3.0}));
  REQUIRE(next);
  CHECK(counts_of(next->local_batches) == Whole{75, 25});
}

TEST_CASE("the program passes times around as 32-bit floats", "[dbs-code]") {
  // Ideals 1.6, 1.6 and 2.8: two samples are missing, one for the last worker and one for the
  // larger fraction of the first two. The first worker is faster by 1e-9, which a double holds and
  // a float does not; of equal fractions the program takes the last.
  const double third = 1.0 / 1.75;
  CHECK(counts_of(after_times(3, 6, {1.0, 1.0 + 1e-9, third}).local_batches) == Whole{1, 2, 3});
  CHECK(counts_of(after_times(3, 6, {1.0, 1.0 + 1e-3, third}).local_batches) == Whole{2, 1, 3});
}

TEST_CASE("the program's next speed starts from the share it decided, not from its slice",
          "[dbs-code]") {
  // Equal times on equal shares must leave everything as it is, whatever the slices came to.
  const std::unique_ptr<Policy> policy = make_dbs(as_published);
  const Decision start = policy->start(unknown_cluster(3, 64, 100));
  std::vector<Measurement> epoch = epoch_with_times(start, {1.0, 1.0, 1.0});
  epoch[0].samples = Samples{1};
  CHECK_FALSE(policy->after_epoch(epoch));
}

TEST_CASE("uniform weights are those of the program's first version", "[dbs-code]") {
  const std::unique_ptr<Policy> policy =
      make_dbs({.mode = DbsMode::code, .weights = DbsWeights::uniform});
  const Decision start = policy->start(unknown_cluster(4, 512));
  const auto next = policy->after_epoch(epoch_with_times(start, {1.0, 1.0, 1.0, 4.0}));
  REQUIRE(next);
  CHECK(next->weights == std::vector<double>(4, 0.25));
}

TEST_CASE("on the four LBB cards the program settles where the paper's rule does", "[dbs-code]") {
  const ClusterView cluster = cluster_of(lbb_lines(), 512);
  const std::unique_ptr<Policy> program = make_dbs(as_published);
  const std::unique_ptr<Policy> paper = make_dbs();
  const Whole by_program = counts_of(drive(*program, cluster, 10).back().local_batches);
  const Whole by_paper = counts_of(drive(*paper, cluster, 10).back().local_batches);
  for (std::size_t i = 0; i < by_paper.size(); ++i) {
    CHECK(std::abs(by_program[i] - by_paper[i]) <= 1);
  }
}

TEST_CASE("doubling all times changes nothing in the program", "[dbs-code]") {
  RandomStream random = RandomStreams{51}.stream("dbs-code", "scale");
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> times(8);
    for (double& time : times) time = random.lognormal(0.7);
    const Decision decision = after_times(8, 512, times);
    for (double& time : times) time *= 1024.0;
    CHECK(after_times(8, 512, times) == decision);
  }
}
