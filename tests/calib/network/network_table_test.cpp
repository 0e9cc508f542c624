#include "calib/network/network_table.hpp"

#include <sstream>

#include "tests/catch.hpp"

using namespace dbsim;
using namespace dbsim::calib;

namespace {

/// 134217728 bytes in 974.9 us is a row of a published table: see network_fit_test.cpp.
NetworkDocument published() {
  NetworkDocument document;
  document.ranks_per_host = {4};
  document.library = "NCCL";
  document.devices = {"NVIDIA A100-SXM4-80GB"};
  document.points = {{Bytes{8.0}, {.median = 15.29e-6}},
                     {Bytes{134'217'728.0},
                      {.median = 974.9e-6, .low = 970e-6, .high = 990e-6, .repetitions = 20}}};
  document.fit = fit_network(document);
  document.remarks = {"A remark."};
  return document;
}

}  // namespace

TEST_CASE("a row says what nccl-tests would", "[network]") {
  const std::string text = network_table(published(), {});
  INFO(text);
  CHECK_THAT(text, Catch::Matchers::Contains("All-reduce between 4 ranks on 1 host\n"));
  CHECK_THAT(text, Catch::Matchers::Contains("134,217,728"));
  CHECK_THAT(text, Catch::Matchers::Contains("974.9"));
  CHECK_THAT(text, Catch::Matchers::Contains("137.7"));
  CHECK_THAT(text, Catch::Matchers::Contains("206.5"));
  CHECK_THAT(text, Catch::Matchers::Contains("- A remark.\n"));
}

TEST_CASE("the largest numbers that occur fit in 80 columns", "[network]") {
  NetworkDocument document = published();
  document.ranks_per_host.assign(8, 8);
  document.points.push_back(
      {Bytes{4'294'967'296.0}, {.median = 99.0, .low = 9.0, .high = 199.0, .repetitions = 99'999}});
  document.library = std::string(300, 'x') + " " + std::string(70, 'y');
  document.library.insert(60, " ").insert(120, " ").insert(180, " ").insert(240, " ");
  document.fit = fit_network(document);
  std::istringstream lines{network_table(document, {})};
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(display_width(line) <= 80);
  }
}
