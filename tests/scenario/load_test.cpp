#include "sim/scenario/load.hpp"

#include "policies/catalog.hpp"
#include "sim/base/error.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

constexpr const char* good = R"(dbsim = 1
name = "Three fast cards and a slow one"
seed = 7
repeats = 5
policies = ["fixed", "dbs", { name = "dbs", mode = "code", label = "as published" }, "oracle"]
baseline = "fixed"

[job]
model = "resnet18-cifar10"
samples = 50_000
epochs = 10
global_batch = 512
gradient = "44.7 MB"
sync = { every = 8 }

[[worker]]
name = "fast"
count = 3
profile = { overhead = "8.2 ms", per_sample = "0.68 ms" }

[[worker]]
name = "slow"
profile = { batch = [2, 32, 128, 256], step_time = ["42 ms", "148 ms", "475 ms", "940 ms"], max_batch = 256 }

[network]
star = { bandwidth = "10 Gbit/s", latency = "25 us" }
collective = { algorithm = "ring", overlap = false, bucket = "25 MB", detail = "message" }

[[interference]]
worker = "fast/2"
factor = 0.5
from = "epoch 4"
to = "epoch 7"
)";

Scenario load(const std::string& text, const Overrides& overrides = {}) {
  return load_scenario(Document::toml(text, "s.toml"), catalog(), overrides);
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

}  // namespace

TEST_CASE("a scenario means what it says", "[scenario]") {
  const Scenario scenario = load(good);
  CHECK(scenario.name == "Three fast cards and a slow one");
  CHECK(scenario.seed == 7);
  CHECK(scenario.repeats == 5);
  REQUIRE(scenario.policies.size() == 4);
  CHECK(scenario.policies[2].label == "as published");
  CHECK(scenario.baseline == 0);
  CHECK(scenario.job.samples == Samples{50'000});
  CHECK(scenario.job.steps_between_syncs == 8);
  CHECK(scenario.job.gradient->count() == 44.7e6);
  REQUIRE(scenario.workers.size() == 4);
  CHECK(scenario.workers[2].name == "fast/2");
  CHECK(scenario.workers[3].name == "slow");
  const auto& played = std::get<PlayedNetwork>(scenario.network);
  const auto& star = std::get<SingleSwitch>(played.topology);
  CHECK(star.link.bandwidth.count() == 1.25e9);
  CHECK(star.link.latency.count() == Approx(25e-6));
  CHECK(scenario.collective.bucket->count() == 25e6);
  CHECK(scenario.collective.algorithm == CollectiveAlgorithm::ring);
  CHECK(scenario.collective.detail == CollectiveDetail::message);
  REQUIRE(scenario.interference.size() == 1);
  CHECK(scenario.interference[0].workers == std::vector<std::size_t>{2});
  CHECK(scenario.interference[0].to == Moment{EpochStart{7}});
}

TEST_CASE("a collective means what it says", "[scenario]") {
  const auto collective = [](const std::string& table) {
    const std::string written =
        "{ algorithm = \"ring\", overlap = false, bucket = \"25 MB\", detail = \"message\" }";
    return load(with(good, written, table)).collective;
  };
  const CollectiveSpec tree =
      collective("{ algorithm = \"double-binary-tree\", chunk = \"64 KiB\", detail = \"fluid\" }");
  CHECK(tree.algorithm == CollectiveAlgorithm::double_binary_tree);
  CHECK(tree.chunk.count() == 65536.0);
  CHECK(tree.detail == CollectiveDetail::fluid);
  CHECK(!tree.bucket);
  CHECK(collective("{ algorithm = \"double-binary-tree\" }").chunk.count() == 524288.0);
  const CollectiveSpec nodes = collective("{ algorithm = \"hierarchical\", ranks_per_node = 2 }");
  CHECK(nodes.algorithm == CollectiveAlgorithm::hierarchical);
  CHECK(nodes.ranks_per_node == 2);
  const CollectiveSpec servers = collective("{ algorithm = \"parameter-server\", servers = 3 }");
  CHECK(servers.algorithm == CollectiveAlgorithm::parameter_server);
  CHECK(servers.servers == 3);
  CHECK(collective("{ algorithm = \"halving-doubling\" }").algorithm ==
        CollectiveAlgorithm::halving_doubling);
}

TEST_CASE("the command line has the last word", "[scenario]") {
  const Scenario scenario =
      load(good,
           {.seed = 9, .repeats = 2, .policies = {"as published", "proportional"}, .baseline = {}});
  CHECK(scenario.seed == 9);
  CHECK(scenario.repeats == 2);
  REQUIRE(scenario.policies.size() == 2);
  CHECK(std::get<std::string>(scenario.policies[0].parameters.at("mode")) == "code");
  CHECK(scenario.policies[1].label == "proportional");
  CHECK(scenario.baseline == 0);  // the file's baseline is not among them: the first is
}

TEST_CASE("all problems are shown at once, in the order of the file", "[scenario]") {
  std::string text = with(good, "epochs = 10", "epoch = 10");
  text = with(text, "\"10 Gbit/s\"", "\"10 Gbits\"");
  try {
    (void)load(text);
    FAIL("two problems went unnoticed");
  } catch (const InputError& error) {
    REQUIRE(error.problems().size() == 2);  // the misspelt key, not also as a missing one; the unit
    CHECK(error.problems()[0].suggestion == "epochs");
    CHECK(error.problems()[1].found == "\"10 Gbits\"");
  }
}

TEST_CASE("a policy that cannot start is a problem of the scenario, not of the run", "[scenario]") {
  // Equal shares of 1,200 are 300 each; the slow card holds 256.
  const std::string text = with(good, "global_batch = 512", "global_batch = 1200");
  CHECK_THROWS_AS(load(text), InputError);
  CHECK_NOTHROW(load(text, {.seed = {}, .repeats = {}, .policies = {"oracle"}, .baseline = {}}));
}

TEST_CASE("a run that would pass the end of simulated time is refused", "[scenario]") {
  std::string text = with(good, "samples = 50_000", "samples = 1_000_000_000_000");
  text = with(text, "epochs = 10", "epochs = 1_000_000");
  CHECK_THROWS_AS(load(text), InputError);
}
