// Tables that others published, as printed by all_reduce_perf of nccl-tests.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/network/fit_network.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

struct Table {
  int ranks{};
  std::vector<MessageTime> in_place;
  std::vector<double> bus_bandwidth;  // as printed, GB/s
};

Table read_table(const std::filesystem::path& file) {
  Table table;
  std::ifstream in{file};
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words_of_line{line};
    std::vector<std::string> words;
    for (std::string word; words_of_line >> word;) words.push_back(word);
    if (words.size() > 2 && words[0] == "#" && words[1] == "Rank") ++table.ranks;
    if (words.size() < 12 || words[0] == "#") continue;
    // size count type redop [root] (time algbw busbw error) twice, the second time in place.
    const std::size_t time = words.size() - 4;
    table.in_place.push_back({Bytes{std::stod(words[0])}, Seconds{1e-6 * std::stod(words[time])}});
    table.bus_bandwidth.push_back(std::stod(words[time + 2]));
  }
  return table;
}

/// By file name without extension; empty where the tables are not at hand.
std::map<std::string, Table> published_tables() {
  std::map<std::string, Table> tables;
  const auto folder =
      std::filesystem::path{DBSIM_SOURCE_DIR} / ".." / "shared" / "data" / "nccl-tests";
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: no published tables beside the source");
    return tables;
  }
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    tables[entry.path().stem().string()] = read_table(entry.path());
  }
  return tables;
}

std::vector<MessageTime> from_size(const Table& table, double bytes) {
  std::vector<MessageTime> large;
  std::ranges::copy_if(table.in_place, std::back_inserter(large),
                       [&](const MessageTime& row) { return row.bytes.count() >= bytes; });
  return large;
}

}  // namespace

TEST_CASE("bus bandwidth agrees with every row of published tables", "[network]") {
  for (const auto& [name, table] : published_tables()) {
    INFO(name);
    REQUIRE(table.ranks >= 2);
    REQUIRE(table.in_place.size() >= 5);
    for (std::size_t i = 0; i < table.in_place.size(); ++i) {
      const MessageTime& row = table.in_place[i];
      // Printed with two decimals, the time with four figures.
      const double published = table.bus_bandwidth[i];
      CHECK(1e-9 * bus_bandwidth(row.bytes, row.time, table.ranks).count() ==
            Approx(published).margin(0.0051 + 5e-4 * published));
    }
  }
}

TEST_CASE("the fit is as far from published times as these fall with size, and no further",
          "[network]") {
  for (const auto& [name, table] : published_tables()) {
    INFO(name);
    const NetworkFit fit = fit_network(table.in_place);
    double largest = 0.0;  // time so far
    double fall = 0.0;
    for (const MessageTime& row : table.in_place) {
      largest = std::max(largest, row.time.count());
      fall = std::max(fall, largest / row.time.count() - 1.0);
    }
    CHECK(fit.residual <= fall + 1e-9);
  }
}

TEST_CASE("10 Gbit/s Ethernet is a straight line above 1 MiB, NVLink is none", "[network]") {
  const auto tables = published_tables();
  if (tables.empty()) return;
  // Eight hosts of four cards: bandwidth of the message about 10 Gbit/s * n / (2(n - 1)) = 0.645
  // GB/s less what Ethernet and TCP take.
  const NetworkFit ethernet =
      fit_network(from_size(tables.at("2080ti-8x4-eth10-auto-run1"), 1'048'577.0));
  CHECK(ethernet.affine_from == Bytes{2'097'152.0});
  CHECK(ethernet.affine_residual < 0.035);
  CHECK(ethernet.bandwidth.count() > 0.59e9);
  CHECK(ethernet.bandwidth.count() < 0.645e9);
  const Table& nvlink = tables.at("a100sxm80-1x4-nvlink");
  const NetworkFit fit = fit_network(nvlink.in_place);
  CHECK(fit.affine_from > Bytes{1'048'576.0});
  // Nothing is faster than a message of 8 bytes, about 15 us.
  CHECK(fit.latency.count() == Approx(14.6e-6).epsilon(0.05));
}
