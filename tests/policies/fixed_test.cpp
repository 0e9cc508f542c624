#include "policies/fixed.hpp"

#include <stdexcept>

#include "tests/catch.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

Whole start_of(const std::unique_ptr<Policy>& policy, const ClusterView& cluster) {
  return counts_of(policy->start(cluster).local_batches);
}

}  // namespace

TEST_CASE("fixed gives everybody the same", "[fixed]") {
  CHECK(start_of(make_fixed(), unknown_cluster(4, 512)) == Whole{128, 128, 128, 128});
}

TEST_CASE("fixed gives what is left over to the first workers", "[fixed]") {
  CHECK(start_of(make_fixed(), unknown_cluster(3, 64)) == Whole{22, 21, 21});
  CHECK(start_of(make_fixed(), unknown_cluster(4, 7)) == Whole{2, 2, 2, 1});
}

TEST_CASE("fixed uses every sample and weights by share", "[fixed]") {
  const Decision decision = make_fixed()->start(unknown_cluster(3, 64));
  CHECK(decision.slices.empty());
  CHECK(decision.weights.empty());
}

TEST_CASE("batches set by hand are taken as they are, whatever they add up to", "[fixed]") {
  CHECK(start_of(make_fixed({300, 300, 200, 200}), unknown_cluster(4, 800)) ==
        Whole{300, 300, 200, 200});
}

TEST_CASE("fixed never changes its mind", "[fixed]") {
  const ClusterView cluster = cluster_of(lbb_lines(), 512);
  const std::unique_ptr<Policy> policy = make_fixed();
  const Decision decision = policy->start(cluster);
  CHECK_FALSE(policy->after_epoch(epoch_of(cluster, decision)));
}

TEST_CASE("fixed says which worker's memory an equal share exceeds", "[fixed]") {
  ClusterView cluster = unknown_cluster(2, 512);
  cluster.workers[1].max_batch = Samples{200};
  CHECK(message_of<std::invalid_argument>([&] { (void)make_fixed()->start(cluster); }) ==
        "a batch of at most 200 for worker \"w1\", what its memory holds, not 256");
}

TEST_CASE("fixed says how many batches it needs", "[fixed]") {
  CHECK(message_of<std::invalid_argument>([] {
          (void)make_fixed({1, 2, 3})->start(unknown_cluster(2, 6));
        }) == "2 batches, one for each worker, not 3");
}

TEST_CASE("fixed refuses fewer samples than workers, and a batch of none", "[fixed]") {
  CHECK_THROWS_AS(make_fixed()->start(unknown_cluster(5, 4)), std::invalid_argument);
  CHECK_THROWS_AS(make_fixed()->start(unknown_cluster(0, 4)), std::invalid_argument);
  CHECK_THROWS_AS(make_fixed({0, 4})->start(unknown_cluster(2, 4)), std::invalid_argument);
}
