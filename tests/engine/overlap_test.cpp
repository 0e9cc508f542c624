// Buckets that travel while backward goes on: whole runs beside what can be worked out by hand.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "policies/catalog.hpp"
#include "sim/base/check.hpp"
#include "sim/base/random.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/io/document.hpp"
#include "sim/scenario/load.hpp"
#include "tests/catch.hpp"
#include "tests/support/clusters.hpp"

using namespace dbsim;
using namespace std::chrono_literals;

namespace {

// Ten steps of 300 ms, the last 200 ms of each backward. Two workers, 100 MB, no latency: a ring
// keeps each link busy with 100 MB.
Setup setup_of(const std::string& collective, double bytes_per_second = 1e9) {
  const std::string text = R"(dbsim = 1
name = "s"
policies = ["fixed"]
[job]
model = "m"
samples = 200
epochs = 1
global_batch = 20
gradient = "100 MB"
[[worker]]
name = "w"
count = 2
profile = { overhead = "290 ms", per_sample = "1 ms" }
[network]
star = { bandwidth = "8 Gbit/s" }
collective = )" + collective +
                           "\n";
  Setup setup = make_setup(load_scenario(Document::toml(text, "s.toml"), catalog()));
  setup.communication.how =
      PlayedCommunication{star(2, BytesPerSecond{bytes_per_second}, Seconds{})};
  return setup;
}

Setup in_buckets(std::size_t count, double bytes_per_second = 1e9) {
  Setup setup = setup_of("{ overlap = true }", bytes_per_second);
  OverlapSetup& overlap = *setup.communication.overlap;
  overlap.buckets.assign(count, Bytes{1e8 / static_cast<double>(count)});
  for (std::vector<double>& left : overlap.left) {
    left.clear();
    for (std::size_t j = 1; j <= count; ++j) {
      left.push_back(2.0 / 3.0 * static_cast<double>(count - j) / static_cast<double>(count));
    }
  }
  return setup;
}

void one_step(Setup& setup) { setup.view.epoch_samples = setup.view.global_batch; }

Span exposed(const Setup& setup) {
  const RunTrace trace = test::run(setup, "fixed");
  const WorkerEpoch& account = trace.epochs.front().workers.front();
  CHECK(account.own == account.steps * Span{300ms});
  CHECK(account.wait == Span{});
  return account.communication / account.steps;
}

}  // namespace

TEST_CASE("without overlap all of the gradient is exposed", "[overlap]") {
  CHECK(exposed(setup_of("{ bucket = \"10 MB\" }")) == Span{100ms});
}

TEST_CASE("buckets that are faster than backward hide behind it, all but the last", "[overlap]") {
  CHECK(exposed(in_buckets(1)) == Span{100ms});
  CHECK(exposed(in_buckets(4)) == Span{25ms});
  CHECK(exposed(in_buckets(10)) == Span{10ms});
}

TEST_CASE("buckets that are slower than backward queue up from the first on", "[overlap]") {
  // 400 ms of communication begin 50 ms into the 200 ms of backward.
  CHECK(exposed(in_buckets(4, 2.5e8)) == Span{250ms});
}

// Bucket j of k is ready after j/k of backward; those from j on need (k - j + 1) c from there.
TEST_CASE("exposed is the largest of (k - j + 1) c - (k - j)/k T", "[overlap]") {
  RandomStream random = RandomStreams{61}.stream("overlap", "closed-form");
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::int64_t k = random.whole(1, 30);
    const double bandwidth = 5e8 * random.lognormal(1.0);
    const double c = 1e8 / static_cast<double>(k) / bandwidth;
    double expected = 0.0;
    for (std::int64_t j = 1; j <= k; ++j) {
      const auto behind = static_cast<double>(k - j);
      expected = std::max(expected, (behind + 1.0) * c - behind / static_cast<double>(k) * 0.2);
    }
    const Span found = exposed(in_buckets(static_cast<std::size_t>(k), bandwidth));
    CHECK(std::abs((found - to_span(Seconds{expected})).count()) <= 2 * k + 1);
  }
}

TEST_CASE("buckets of other sizes and times are worked out one by one", "[overlap]") {
  Setup setup = in_buckets(2);
  OverlapSetup& overlap = *setup.communication.overlap;
  overlap.buckets = {Bytes{8e7}, Bytes{2e7}};
  // The first is ready 100 ms before the end and takes 80; the second 20.
  overlap.left.assign(2, {1.0 / 3.0, 0.0});
  CHECK(exposed(setup) == Span{20ms});
  // 50 ms before the end: 30 ms late.
  overlap.left.assign(2, {1.0 / 6.0, 0.0});
  CHECK(exposed(setup) == Span{50ms});
  // The other worker's bucket is as late as that.
  overlap.left.front() = {1.0 / 3.0, 0.0};
  CHECK(exposed(setup) == Span{50ms});
}

TEST_CASE("what is ready and through before the last arrival costs nothing", "[overlap]") {
  Setup setup = in_buckets(1);
  setup.communication.overlap->left.assign(2, {0.5});
  CHECK(exposed(setup) == Span{});
}

TEST_CASE("interference moves the buckets that it covers", "[overlap]") {
  Setup setup = in_buckets(4, 2.5e8);
  one_step(setup);
  // Ready at 150, 200, 250, 300 ms of work; half speed from 200 ms on makes that 150, 200, 300,
  // 400 ms. Four times 100 ms from 150 ms on.
  setup.interference.push_back(
      {.worker = 1, .factor = 0.5, .delay = {}, .from = Seconds{0.2}, .to = {}});
  const RunTrace trace = test::run(setup, "fixed");
  CHECK(trace.total() == Span{550ms});
  CHECK(trace.epochs.front().workers[0].own == Span{300ms});
  CHECK(trace.epochs.front().workers[0].wait == Span{100ms});
  CHECK(trace.epochs.front().workers[0].communication == Span{150ms});
  CHECK(trace.epochs.front().workers[1].own == Span{400ms});
}

TEST_CASE("a delay comes before backward", "[overlap]") {
  Setup setup = in_buckets(4, 2.5e8);
  one_step(setup);
  for (const std::size_t worker : {0, 1}) {
    setup.interference.push_back(
        {.worker = worker, .factor = 1.0, .delay = Seconds{0.04}, .from = EpochStart{0}, .to = {}});
  }
  CHECK(test::run(setup, "fixed").total() == Span{340ms + 250ms});
}

TEST_CASE("one bucket that is ready at the end is no overlap at all", "[overlap]") {
  RandomStream random = RandomStreams{62}.stream("overlap", "one-bucket");
  for (const CollectiveAlgorithm algorithm :
       {CollectiveAlgorithm::ring, CollectiveAlgorithm::parameter_server,
        CollectiveAlgorithm::double_binary_tree}) {
    for (int repeat = 0; repeat < 10; ++repeat) {
      Setup setup = test::random_setup(random);
      setup.communication.how =
          PlayedCommunication{star(setup.workers.size() + 1, BytesPerSecond{1e9}, Seconds{1e-5})};
      setup.communication.collective = {
          .algorithm = algorithm, .chunk = Bytes{5e5}, .gradient = Bytes{1e7}};
      const RunTrace without = test::run(setup, "dbs");
      setup.communication.overlap =
          OverlapSetup{.buckets = {Bytes{1e7}},
                       .left = std::vector<std::vector<double>>(setup.workers.size(), {0.0})};
      CHECK(test::run(setup, "dbs").total() == without.total());
    }
  }
}

TEST_CASE("overlap saves time and costs none, and every account still adds up", "[overlap]") {
  RandomStream random = RandomStreams{63}.stream("overlap", "properties");
  for (int repeat = 0; repeat < 30; ++repeat) {
    Setup setup = test::random_setup(random);
    setup.communication.how =
        PlayedCommunication{star(setup.workers.size(), BytesPerSecond{1e9}, Seconds{1e-5})};
    setup.communication.collective = {.gradient = Bytes{4e7}, .buckets = 4};
    const RunTrace without = test::run(setup, "fixed");
    setup.communication.overlap = OverlapSetup{
        .buckets = std::vector<Bytes>(4, Bytes{1e7}),
        .left = std::vector<std::vector<double>>(setup.workers.size(), {0.5, 0.33, 0.16, 0.0})};
    const RunTrace with = test::run(setup, "fixed");
    CHECK(with.total() <= without.total());
    for (const EpochTrace& epoch : with.epochs) {
      for (const WorkerEpoch& worker : epoch.workers) {
        CHECK(worker.own + worker.communication + worker.wait == epoch.end - epoch.begin);
      }
    }
  }
}

TEST_CASE("buckets are the scenario's, else PyTorch's 25 MiB", "[overlap]") {
  const Setup given = setup_of("{ overlap = true, bucket = \"10 MB\" }");
  CHECK(given.communication.overlap->buckets == std::vector<Bytes>(10, Bytes{1e7}));
  CHECK(given.communication.overlap->left[1][4] == Approx(2.0 / 3.0 * 0.5));
  CHECK(given.communication.overlap->left[1][9] == Approx(0.0).margin(1e-12));
  const Setup usual = setup_of("{ overlap = true }");
  CHECK(usual.communication.overlap->buckets == std::vector<Bytes>(4, Bytes{2.5e7}));
  CHECK(!setup_of("{ bucket = \"10 MB\" }").communication.overlap);
}

TEST_CASE("backward's share and the buckets are the profile's where it names them", "[overlap]") {
  const std::string text =
      "dbsim = 1\nname = \"s\"\npolicies = [\"fixed\"]\n[job]\nmodel = \"m\"\n"
      "samples = 200\nepochs = 1\nglobal_batch = 20\ngradient = \"100 MB\"\n[[worker]]\n"
      "name = \"w\"\nprofile = { overhead = \"290 ms\", per_sample = \"1 ms\" }\n[network]\n"
      "star = { bandwidth = \"8 Gbit/s\" }\ncollective = { overlap = true }\n";
  Scenario scenario = load_scenario(Document::toml(text, "s.toml"), catalog());
  CHECK(overlap_setup(scenario).backward_assumed);
  scenario.profiles.front().backward_share = 0.6;
  scenario.profiles.front().buckets = {{Bytes{30.0}, 0.25}, {Bytes{10.0}, 1.0}};
  const OverlapSetup measured = overlap_setup(scenario);
  CHECK(!measured.backward_assumed);
  CHECK(measured.buckets == std::vector<Bytes>{Bytes{7.5e7}, Bytes{2.5e7}});
  CHECK(measured.left.front()[0] == Approx(0.6 * 0.75));
  CHECK(measured.left.front()[1] == 0.0);
  // Equal buckets of the same gradient: three of them are within the first that was measured.
  scenario.collective.bucket = Bytes{2.5e7};
  const OverlapSetup cut = overlap_setup(scenario);
  CHECK(cut.buckets == std::vector<Bytes>(4, Bytes{2.5e7}));
  CHECK(cut.left.front()[2] == Approx(0.6 * 0.75));
  CHECK(cut.left.front()[3] == 0.0);
}
