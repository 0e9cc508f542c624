#include "calib/network/calibrate_network.hpp"

#include "calib/network/nccl_all_reduce.hpp"
#include "tests/calib/network/simulated_group.hpp"
#include "tests/catch.hpp"

using namespace dbsim;
using namespace dbsim::calib;
using dbsim::calib::test::SimulatedGroup;

TEST_CASE("what the ranks did comes out as latency and bandwidth", "[network]") {
  SimulatedGroup group;
  group.latency = 3e-5;
  group.bandwidth = 2.5e9;
  group.noise = 0.05;
  NetworkMeasureOptions options = default_network_options();
  options.budget_s = 1e9;
  const auto samples = measure_all_reduce(group, options, group.surroundings());
  const NetworkDocument document = network_document(group.description(), samples, options);
  CHECK(document.ranks() == 4);
  CHECK(document.ranks_per_host == std::vector<std::int64_t>{2, 2});
  REQUIRE(document.points.size() == 26);  // 2^3 to 2^28
  REQUIRE(document.fit);
  CHECK(document.fit->latency.count() == Approx(3e-5).epsilon(0.05));
  CHECK(document.fit->bandwidth.count() == Approx(2.5e9).epsilon(0.03));
  CHECK(parse_network_document(to_json(document), "n.json") == document);
  CHECK(document.remarks.size() == 1);  // nothing was left out, all is precise enough
}

TEST_CASE("what was left out and what stayed imprecise is said", "[network]") {
  NetworkMeasureOptions options;
  options.sizes = {8, 1000, 2'000'000};
  const std::vector<SizeSamples> samples{{8, {1.0, 1.0, 1.0, 1.0, 1.0, 1.0}},
                                         {1000, {1.0, 2.0, 3.0, 3.0, 4.0, 5.0}}};
  const NetworkDocument document =
      network_document({{2}, "l", {"d"}, {"First."}}, samples, options);
  REQUIRE(document.remarks.size() == 4);
  CHECK(document.remarks[0] == "First.");
  CHECK_THAT(document.remarks[2], Catch::Matchers::StartsWith("Sizes from 2 MB on"));
  // 1..5 around 3.
  CHECK_THAT(document.remarks[3],
             Catch::Matchers::Contains("1 of 2 sizes were known to 3.0 %; the worst is 1 kB with "
                                       "66.7 %"));
}

TEST_CASE("with nothing to all-reduce between, every reason is given and a way out", "[network]") {
  if (is_started_by_mpi() || nccl_devices() >= 2) {
    WARN("skipped: there is something to all-reduce between");
    return;
  }
  const SimulatedGroup group;
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(
      calibrate_network(default_network_options(),
                        {.now = [] { return 0.0; }, .stop = {}, .report = {}}, "p", "d"),
      Contains("MPI") || Contains("mpirun"));
  CHECK_THROWS_WITH(
      calibrate_network(default_network_options(),
                        {.now = [] { return 0.0; }, .stop = {}, .report = {}}, "p", "d"),
      Contains("CUDA") && Contains("mpirun -n 4 dbsim-calibrate --network"));
}
