// Tables that others published, where they are at hand.
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/import/nccl_network.hpp"
#include "sim/io/files.hpp"
#include "sim/network/halves.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

/// By file name without extension.
std::map<std::string, NcclTests> published() {
  std::map<std::string, NcclTests> runs;
  const auto folder =
      std::filesystem::path{DBSIM_SOURCE_DIR} / ".." / "shared" / "data" / "nccl-tests";
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: no published tables beside the source");
    return runs;
  }
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    const std::string path = entry.path().string();
    runs[entry.path().stem().string()] = parse_nccl_tests(read_text_file(path), path);
  }
  CHECK(runs.size() == 12);
  return runs;
}

NetworkDocument network(const std::string& name, const NcclTests& run,
                        NcclChoice::Place place = NcclChoice::Place::in_place) {
  return to_network(run, {.place = place}, name);
}

std::vector<MessageTime> times_of(const NetworkDocument& document) {
  std::vector<MessageTime> times;
  for (const NetworkPoint& point : document.points) {
    times.push_back({point.bytes, Seconds{point.time.median}});
  }
  return times;
}

}  // namespace

TEST_CASE("published tables have the ranks, peaks and smallest times that are known of them",
          "[import]") {
  struct Known {
    const char* name;
    std::vector<std::int64_t> ranks_per_host;
    double peak_busbw;   // GB/s
    double smallest_us;  // 0: not known
  };
  const std::vector<std::int64_t> eight_by_four(8, 4);
  const std::vector<Known> all{{"2080ti-8x4-ib100-auto-run1", eight_by_four, 5.5, 0},
                               {"2080ti-8x4-ib100-auto-run2", eight_by_four, 5.5, 55},
                               {"2080ti-8x4-ipoib100-ring", eight_by_four, 5.4, 0},
                               {"2080ti-8x4-eth10-auto-run1", eight_by_four, 1.17, 0},
                               {"2080ti-8x4-eth10-auto-run2", eight_by_four, 1.17, 241},
                               {"2080ti-8x4-eth10-ring", eight_by_four, 1.17, 0},
                               {"2080ti-1x2-pcie-nop2p", {2}, 4.0, 12},
                               {"v100pcie-1x4-cuda10.1", {4}, 11.2, 16},
                               {"v100pcie-1x4-cuda11.0.2", {4}, 10.6, 13},
                               {"v100pcie-1x4-cuda11.1.1", {4}, 10.5, 13},
                               {"a100sxm80-1x4-nvlink", {4}, 206, 15},
                               {"t4-2x1-efa", {1, 1}, 3.15, 64}};
  const auto runs = published();
  if (runs.empty()) return;
  for (const Known& known : all) {
    INFO(known.name);
    const NetworkDocument document =
        network(known.name, runs.at(known.name), NcclChoice::Place::out_of_place);
    CHECK(document.ranks_per_host == known.ranks_per_host);
    double peak = 0.0;
    double smallest = 1.0;
    for (const NetworkPoint& point : document.points) {
      const Seconds time{point.time.median};
      peak = std::max(peak, bus_bandwidth(point.bytes, time, document.ranks()).count());
      smallest = std::min(smallest, time.count());
    }
    CHECK(1e-9 * peak == Approx(known.peak_busbw).epsilon(0.02));
    if (known.smallest_us > 0.0) {
      CHECK(1e6 * smallest == Approx(known.smallest_us).epsilon(0.05));
    }
  }
}

TEST_CASE("a quarter of a gigabyte takes 443 ms over 10 Gbit/s, and the fit says so", "[import]") {
  for (const auto& [name, run] : published()) {
    if (name.find("eth10") == std::string::npos) continue;
    INFO(name);
    const NetworkDocument document = network(name, run);
    // 2 * 31 / 32 of it at 10 Gbit/s would be 416 ms.
    const Bytes quarter{268'435'456.0};
    CHECK(document.fit->time(quarter).count() == Approx(0.443).epsilon(0.002));
    NetworkFit line = *document.fit;
    line.efficiency.clear();
    CHECK(line.time(quarter).count() == Approx(0.443).epsilon(0.005));
  }
}

TEST_CASE("half of a published table's sizes predicts the other half to 5 %", "[import]") {
  for (const auto& [name, run] : published()) {
    for (const auto place : {NcclChoice::Place::in_place, NcclChoice::Place::faster}) {
      INFO(name);
      std::vector<MessageTime> times = times_of(network(name, run, place));
      CHECK(median(relative_errors(predict_other_half(times))) <= 0.05);
      // And the other half this one.
      times.erase(times.begin());
      CHECK(median(relative_errors(predict_other_half(times))) <= 0.05);
    }
  }
}

TEST_CASE("the ranks of fast published tables can be told from busbw", "[import]") {
  for (auto& [name, run] : published()) {
    if (!name.starts_with("a100") && !name.starts_with("v100")) continue;
    INFO(name);
    NcclTests unlisted = run;
    unlisted.ranks_per_host.clear();
    CHECK(network(name, unlisted).ranks() == 4);
  }
}
