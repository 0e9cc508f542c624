#include "sim/model/setup.hpp"

#include "policies/catalog.hpp"
#include "sim/io/document.hpp"
#include "sim/scenario/load.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

Setup setup_from(const std::string& network, const std::string& more = {}) {
  const std::string text = R"(dbsim = 1
name = "s"
policies = ["fixed"]
[job]
model = "m"
samples = 1000
epochs = 3
global_batch = 40
gradient = "100 MB"
[[worker]]
name = "a"
count = 2
speed = 2.0
profile = { overhead = "10 ms", per_sample = "1 ms", spread = 0.1 }
[[worker]]
name = "b"
profile = { overhead = "10 ms", per_sample = "1 ms", max_batch = 30 }
[network]
)" + network + "\n" + more;
  return make_setup(load_scenario(Document::toml(text, "s.toml"), catalog()));
}

}  // namespace

TEST_CASE("a worker's speed divides its step time, and policies know it", "[setup]") {
  const Setup setup = setup_from("fixed = \"1 ms\"");
  CHECK(setup.workers[0].step_time.at(Samples{30}).count() == Approx(0.020));
  CHECK(setup.view.workers[0].nominal->at(Samples{30}).count() == Approx(0.020));
  CHECK(setup.workers[2].step_time.at(Samples{30}).count() == Approx(0.040));
  CHECK(setup.workers[0].name == "a/0");
  CHECK(setup.view.workers[2].max_batch == Samples{30});
}

TEST_CASE("a gradient of 100 MB in buckets of 30 MB goes in four pieces", "[setup]") {
  const Setup setup = setup_from(
      "star = { bandwidth = \"8 Gbit/s\", latency = \"10 us\" }\ncollective = { bucket = \"30 MB\" "
      "}");
  const auto& played = std::get<PlayedCommunication>(setup.communication.how);
  CHECK(setup.communication.collective.buckets == 4);
  CHECK(played.network.links.front().bandwidth.count() == 1e9);
  CHECK(setup.communication.collective.gradient.count() == 1e8);
}

TEST_CASE("a worker's own link replaces the network's, at the host of the worker", "[setup]") {
  for (const char* network :
       {"star = { bandwidth = \"8 Gbit/s\" }",
        "leaf_spine = { leaves = 2, hosts = 2, spines = 1, bandwidth = \"8 Gbit/s\" }"}) {
    const Setup setup = setup_from(network, R"([[worker]]
name = "c"
profile = { overhead = "10 ms", per_sample = "1 ms" }
link = "4 Gbit/s"
)");
    const auto& played = std::get<PlayedCommunication>(setup.communication.how);
    std::vector<double> bandwidths;
    for (const Link& link : played.network.links) {
      if (link.from < 4) bandwidths.push_back(link.bandwidth.count());
    }
    CHECK(bandwidths == std::vector{1e9, 1e9, 1e9, 5e8});
  }
}

TEST_CASE("interference on a group hits each worker of it, and nobody else", "[setup]") {
  const Setup setup =
      setup_from("fixed = \"1 ms\"",
                 "[[interference]]\nworker = [\"a\", \"a/1\"]\nfactor = 0.5\nto = \"3 s\"");
  REQUIRE(setup.interference.size() == 2);
  CHECK(setup.interference[0].worker == 0);
  CHECK(setup.interference[1].worker == 1);
  CHECK(setup.interference[1].from == Moment{EpochStart{0}});
  CHECK(setup.interference[1].to == Moment{Seconds{3.0}});
}
