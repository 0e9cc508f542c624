#include "sim/app/predict.hpp"

#include "tests/catch.hpp"
#include "tests/support/shipped.hpp"

using namespace dbsim;

TEST_CASE("a policy meets the same draws whoever it is compared with", "[predict]") {
  for (const char* name : {"four-cards.toml", "busy-network.toml"}) {
    const Scenario both = test::shipped_scenario(name, {{"job.epochs", "3"}, {"repeats", "3"}});
    Scenario alone = both;
    std::erase_if(alone.policies, [](const PolicySpec& policy) { return policy.label != "dbs"; });
    alone.baseline = 0;
    const RunSet many = predict(both, catalog(), {});
    const RunSet one = predict(alone, catalog(), {});
    for (std::size_t repeat = 0; repeat < 3; ++repeat) {
      CHECK(many.policies[1].repeats[repeat].total() == one.policies[0].repeats[repeat].total());
    }
  }
}

TEST_CASE("repeats differ, and the first is the same however many follow", "[predict]") {
  const Scenario five = test::shipped_scenario("four-cards.toml", {{"job.epochs", "2"}});
  const Scenario one =
      test::shipped_scenario("four-cards.toml", {{"job.epochs", "2"}, {"repeats", "1"}});
  const RunSet runs = predict(five, catalog(), {.threads = 2});
  CHECK(runs.policies[0].repeats[0].total() != runs.policies[0].repeats[1].total());
  CHECK(runs.policies[0].repeats[0].total() ==
        predict(one, catalog(), {}).policies[0].repeats[0].total());
}

TEST_CASE("hand-set batches are their policy's own global batch", "[predict]") {
  const RunSet runs =
      predict(test::shipped_scenario("large-and-small.toml", {{"job.epochs", "1"}}), catalog(), {});
  CHECK(runs.policies[0].global_batch == Samples{800});
  CHECK(runs.policies[1].global_batch == Samples{1000});
}
