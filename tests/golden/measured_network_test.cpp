// A fitted network file drives a scenario: what was measured comes out again.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/engine/communication.hpp"
#include "sim/import/nccl_network.hpp"
#include "sim/io/files.hpp"
#include "sim/scenario/measured_network.hpp"
#include "tests/catch.hpp"

using namespace dbsim;
namespace fs = std::filesystem;

namespace {

/// By all messages of a ring, each a flow on the star that the network file describes.
Seconds all_reduce(const NetworkDocument& document, Bytes size, CollectiveDetail detail) {
  const MeasuredNetwork network = star_of(document);
  const auto ranks = static_cast<std::size_t>(document.ranks());
  CommunicationSetup setup{
      .how = PlayedCommunication{.network = build(network.star, ranks)},
      .collective = {.algorithm = CollectiveAlgorithm::ring, .detail = detail, .gradient = size},
      .workers = ranks};
  setup.collective.messages.efficiency = network.efficiency;
  Communication communication{setup, RandomStreams{1}};
  return to_seconds(communication.duration(std::vector<Span>(ranks), Instant{}));
}

NetworkDocument with_law(NetworkDocument document) {
  document.fit = fit_network(document);
  return document;
}

/// Whole nanoseconds cost each round at most one.
double rounding(const NetworkDocument& document) { return 2e-9 * (document.ranks() - 1); }

}  // namespace

TEST_CASE("a ring on a measured network takes the times that its law was fitted to", "[golden]") {
  // 20 us and 3 GB/s, and a protocol that reaches half of it below a megabyte.
  for (const std::vector<std::int64_t>& ranks_per_host :
       std::vector<std::vector<std::int64_t>>{{2}, {1, 1, 1}, {4, 4}, {8, 8, 8, 8}}) {
    NetworkDocument document;
    document.ranks_per_host = ranks_per_host;
    for (double bytes = 4e3; bytes < 1e9; bytes *= 4.0) {
      const double time = 20e-6 + bytes / (bytes < 1e6 ? 1.5e9 : 3e9);
      document.points.push_back({Bytes{bytes}, {.median = time}});
    }
    document = with_law(std::move(document));
    for (const NetworkPoint& point : document.points) {
      for (const CollectiveDetail detail : {CollectiveDetail::message, CollectiveDetail::fluid}) {
        const double found = all_reduce(document, point.bytes, detail).count();
        CHECK(std::abs(found - point.time.median) <= rounding(document) + 1e-9 * found);
      }
    }
  }
}

TEST_CASE("published all-reduce times come out of a scenario as well as their law has them",
          "[golden]") {
  const fs::path folder = fs::path{DBSIM_SOURCE_DIR} / ".." / "shared" / "data" / "nccl-tests";
  if (!fs::exists(folder)) {
    WARN("skipped: no published tables beside the source");
    return;
  }
  std::size_t times = 0;
  for (const auto& entry : fs::directory_iterator{folder}) {
    const std::string path = entry.path().string();
    INFO(path);
    const NetworkDocument document =
        with_law(to_network(parse_nccl_tests(read_text_file(path), path),
                            {.place = NcclChoice::Place::in_place}, path));
    for (const NetworkPoint& point : document.points) {
      const double found = all_reduce(document, point.bytes, CollectiveDetail::message).count();
      const double law = document.fit->time(point.bytes).count();
      CHECK(std::abs(found - law) <= rounding(document) + 1e-9 * law);
      CHECK(std::abs(found / point.time.median - 1.0) <=
            document.fit->residual + rounding(document) / point.time.median + 1e-9);
      ++times;
    }
  }
  CHECK(times >= 200);
}
