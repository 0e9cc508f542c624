// What a reader should know of a network before believing a run on it.
#include <string>
#include <utility>
#include <vector>

#include "sim/model/communication_setup.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

CommunicationSetup measured_setup() {
  return {.how = PlayedCommunication{.network = star(4, BytesPerSecond{1e9}, Seconds{}),
                                     .measured = MeasuredRange{4, Bytes{1e6}, Bytes{1e8}}},
          .collective = {.gradient = Bytes{5e7}},
          .workers = 4};
}

std::string warning(const CommunicationSetup& setup) {
  const std::vector<std::string> warnings = warnings_about(setup);
  REQUIRE(warnings.size() <= 1);
  return warnings.empty() ? "" : warnings.front();
}

}  // namespace

TEST_CASE("a ring within what was measured needs no word", "[network_warnings]") {
  CHECK(warning(measured_setup()).empty());
}

TEST_CASE("beyond the measured ranks, sizes and algorithm times are estimates",
          "[network_warnings]") {
  CommunicationSetup setup = measured_setup();
  setup.workers = 8;
  CHECK(warning(setup) ==
        "the network was measured with 4 ranks; times for 8 workers follow from a ring on a star");
  setup = measured_setup();
  setup.collective.algorithm = CollectiveAlgorithm::halving_doubling;
  CHECK(warning(setup) ==
        "the network reproduces what was measured with algorithm = \"ring\"; others are estimates");
  setup = measured_setup();
  setup.collective.gradient = Bytes{2e8};
  CHECK(warning(setup) ==
        "all-reduces of 200 MB reach beyond the network's measured 1 MB to 100 MB; times there are "
        "extrapolated");
  setup = measured_setup();
  setup.overlap = OverlapSetup{.buckets = {Bytes{5e5}, Bytes{4.95e7}}, .left = {}};
  CHECK(
      warning(setup) ==
      "all-reduces of 500 kB to 49.5 MB reach beyond the network's measured 1 MB to 100 MB; times "
      "there are extrapolated");
}

TEST_CASE("random delays of flows that stand for many messages come with a warning",
          "[network_warnings]") {
  CommunicationSetup setup = measured_setup();
  setup.collective.messages.jitter = ExponentialDelay{Seconds{1e-5}};
  CHECK(warning(setup).empty());
  setup.collective.detail = CollectiveDetail::fluid;
  CHECK(warning(setup).starts_with("detail = \"fluid\" does not pass random delays on"));
}
